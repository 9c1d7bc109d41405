// Made by Benchmarks/Tempo/train.py; not to be edited.

extension Classifier {
    /// Scores a phase of the beats.
    static let beatPhases = Classifier(
        base64: """
            gE8ATABAADQANAA0ADQANAA0ADQANAA0ADQANAA0ADQANAA0ADQANAA0ADQAND41PjVFNEU0RzNHM54znjPDqRYxC0QLRAtEC0RJRElESURJRG
            hEaERoRGhECUQJRAlECUQFTAVMBUwFTMJCwkLyQ/JDMkQyRMNDw0MJQb9EbS98M4oxjC3yKxi3R7BSMSS2XKvtMuSqA6zcuAMrzC4ssTmzx7RM
            te208iu8rFkygDJfrXa2v6ixLfMxorQtK3K1RLF0rqC1NrE0Mwewfa8HKjkob7cQLZszzrNwMV2zsrDQMDoq/bOzq8Qz3Cs3M6gx0yanM4mm6j
            AYKnOxmrCCrNKk4TRoNYmv3bM9qtC25K4grPg02SfprMu21qv3MvurxLU6rtCzjLGhrdIxDiwBNvcsEK/yMTcmKzbXqKozBrQPM8C0gLUHsBeu
            si1qNcKxfSQGrUgwR6iHrlIzUrBFsEUkQyn/q90t+JSUMgcwmqXFsfAqBrLMsPkzYrgvLj20ETAfLBw0CzAht+ElLzJTpB2vWitFtaMwrrd7qD
            GwJLObudeshrSBqBYzXjAfL78vQa2Xs5spr61dMh0z1y76sY0xIy4AtvawOancsAgpIqk/MHW0qDHPrCSrhq53trEyK6nXGPcu16FVK3kx6yw1
            r6St+zNnNA0uUy7StsUqEzWSLaw2ezawNFqm67MLMf6y7DApM/4qtzLErh+yW7NZqhG50rTysZi3D7JRNJkxpDGWruu0lrHULcAtjLZNNdGwUq
            0ZuPy3O7frrV8p9q0VL98rZipjsVA18KfhpQa4GrGqL1KvlCmTqPU0+SyJtBq0wLazt7sssDOYMoW29bHpK4+vAC13LIkqf6lELVgw9qsfKPGs
            9SeYqFalr7AkLhU2IzQrthytkq1qtvuoWC8Gs7CwjrMbLEUxj6/FLfwrfy39L1+w6DBqMLY1VjQjsss0GaojqeEtAjWLMZ8rzLfDryQ07TG8MU
            MsA5gRqh4sxqvBJmovRicDuAsrFrHJNCmwNS48MiMs6ioYNSc0pbFWM9o1PiIKJcOzTTUJsFyzrzT0sCIy4i87KyIu7jQysdyuzLW2KiAyGTNw
            LECvbyBZqW2poKWNLFugEytOLXosoJ8uN3kwTiQRts0t4LTFtCw2ni5ZMFiyWqnCrKwUiTXXMWW12KeQqKyt7a/DJkAksKeVKkYdjbLEJcKq8C
            R0ruS3DLF8K5+qRDEJL4eysLJQKJsrpym5M3os96yArbotE63+t5Q0DCy+KogxcSZZHJ40DKbGL3a0TapTtIoz9TFrtjs1kyg0tOav9S/2MNwu
            CbbTslqws7QXqYsgT7MmLwS0PrdxnNqw3jCNsWexgKeGsO017ahiLGgtlbcNLYYsIShXuHgT1bazJkW4wbUDo8M4rrcPIq6plbDGNAiv+LN1MR
            KpZaWksdewabZNNkevdDJTOcY2XTfBNCA3RS80rr42MSA0NAgs7qVcOHoski18NNM0azOrMqQ5Hbn2t4ayKLpTN1c1LLSHtNi4BzjkuwC1lrD+
            NI6r5bP8trUmEzYhNFQx5yBbrbW2LqBMMFGwYqrkMIex3jYuOXIz5LXxsKyzeCLosUS2DTSrsXqt8TCqKqm137D0tRqyz7G3uEG0tLR/tf0sLr
            kRrDUweLSWsIAup7ClqSOwRjH3o3Ay/i5Wqd2sF6Ufs3E0oyiEKGovQ7Rlr+Uw6jHkq7m2XysoM8IxpDAltPIyRbT3tTst+7dyskspeyk1MH80
            8DVoq1Ow1rEkqCi1PLK7NnyulJ+kpgYkNiGfL3Cx7a5RsYMq0LWHsaauDDDppvyzZqyTrjKuBbC/GR4x16W0IwQ0OzR0tPSplSugLDE18TRQGi
            IuSzSks1CwPDTaNk+0xrP1Lyc1Jy1SNX+xKDCZtogzETTduHao+TMptDKswzc1M9SyP7LUH7Uym6djtpI0j646tGo1NygatR2tUbc7KISxG7TH
            r3s1JS/BLtyzJzICqpy02SonNYmkZrV7tD4zKC/epmsvKRx0qV0ty7FsKxm0rTHhMY+zD7EWLQozebjMtiUsdThhNIgwMjK3OHu2s6wsNU20Dz
            GrLuUtDThPNw40eLgbrTG0oTRisCK2djIMog610DDqsN+zP7cwrg2wvTArKhe1FLVXtNOwp7Z6nYq0RLKttIo2Zi5bsSSooC0+L3e24RU6MI4z
            LzIAqE8sWjE9rOYykZhvKUKim6HlodmtVTc9E/SwRzTSrHOvdC1ANWcvPS1qHW60tqq4rBytlLXcsAmsvjOGNNkwZLU6sP2yzbHtH/Qj+LUhsf
            u2fDT+Nc4m9y0WqzO7MC1ks9UvuC0PseC0xTSDLKIyni3lKtchGjSEM7suvC0irSAva7LCK4+vQTTpN9KzYqvfrSkwZq7QMJ0rbDDQsikr0TNI
            OVixpihHsAQyiyAeqhcmrzKLrzSrdrRGsZawnrIeI5GYJDS7LkYyHTVzslEwvK63sNKwCzEnMBswbqksKQ6uiKRiNEcsX6ZbsC0zIi9sKUuxea
            6WJViqGjDLLJmwDLBMNyY4OaSepfYpCqxMoZ+z9bI2r6gccTCaq0muErMjqaOygjEErdiwEquGsHCh9LCSMV4wUzVlpMWn9S4go9MzJ7EPNv2u
            yyhSrWiyujP0LlgwuSzmMBWruDXAMn8rhTQ8NC8mHCqhJ6crpKj/piMwn7UwKxa00LVBtDEzQzTrswmxES3vtEWuubedr7mj3zLPoeS0FiFZME
            Cq0i22Ny8sBTX/LBImIbQ8Ni4yoKAOsryCgzE9rMmtMDFysg2uUiiOtVsxi6hCM+81fKfiNhq0Aje5N6A1QjT4NA60r6t6N/A4VSZyNc00H7ik
            t3gyQbhPuce5NDL/Mgw3krcMNQY0XbeHM0M3KLU=
            """)
}
