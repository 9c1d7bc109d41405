// Made by Benchmarks/Tempo/train.py; not to be edited.

extension Classifier {
    /// Scores a metre and its phase.
    static let bars = Classifier(
        base64: """
            oFIATABAQqFitq6m0CUPrE4vM7X9oYe1G6YQJRasDy6PtPygL7XSpQAldKvzLoK0X6MBtMqmdiWaqvUt1rP9naazhqUhJeaqZC8LtRGnPrrGJE
            Wo6KyCHZevviwcL74w7TEcMyY0HDNeO0E0Ky0jIBRAzTwMQY4+RUDyQNY820DMPe1BxD+eQENBOj0jQR0+MUIOQI1AQkE+PZdB3T7TQpJAw0CK
            QYM9IEJrPypDvUB0QClBHz0lPlY6sD88PcdCskIkP5xDWEKdQSNBzUCOQM1AZEOEQFBDhknms3otKS0NsNmwrzDaMJA06SqIqG0yHyyoLYEsyj
            MdrGKzCa67sOe0ILV2MlesajDdLnAiq7KUK/ul8TA4sBitvrDwrSUzM7KArKku8yE6LCovJqqtrL6sZjKPsMIyKbDLruAzCC46rGko3zGSpHwu
            W56ML0gyZipGqNmpXa9BsHaraSz8LkYo3rBPrqQwUbT1qKiupzHtJpmrDayCpmEwrSI1nCKkxLAQKiK0IizBrIYwKy0NJBItlqwvI4yhK6Vdsi
            kuzbBWsbms0KmCLSI1hKskrgYtS6mJrKYmvi8GKLWs6TCPK/Cp2CiaKRgwUCozmUCpNCHstJmvLSxWssswC6InMyms3C4OKGCqBS6lMUmrziW1
            pSGr8yy1ra2wMikpsmWqHjCUqDymZChRrqSrAqnlrpenXa4oskitfzV0rVKqMScPNOKv8yoarqux+DDameItUK0sLTKpMKkdsy6xBCvcluss9a
            pFrRErCzKqIUIpuZpQM0Ax6iuKoBmwTCqENNsxwCU5J4ctCy/Kp+MubbFGKsYqG5gvMHAu9KXXtBaj9bDCLZkywbMonK4x4C42LBIwxyEusucp
            dCVLsagkKK9bMTOw4qX8sCWhbKGTrRIkiqbnM3q2HS42Ir+jG7IbqXItNC2Pq6WhMDLmK6mwGKf0tCm1MbMSND4vUbMOrTQiJh2cJxutCbChLi
            YsCiX5rXaeVqoTMUWyISb/IKetUDDmMfmqEDBmLVm19yn2JfCc5bCrqESxdjGXHOWtDS0Ls1uv97NZMVAqUTOAMQYsVCxnrXYnGCnPMngvEq7y
            sO2wrDSSMKCmKKzsr3UwtzMnLY60Ki7nnjOvbScWKbMtTa9lH5QyiS6Hr5oyySkOsHEtJDQPIMGiGLLDLPWw57A5MJolhjD6MfSp96jBM4IfZa
            zHs5slxDIRMKqu/K3KKcUxdTHGpHWpuq3Eq5Go4aVpJdEyWCrgqymzB6P0tJCoES8vIKOp/LLAqxWnBSbVMyso2a1BsPokDbDir7Gqb6Y7r9oy
            GTEFsA6qE61xFrmiKrECtRMvM6zjLZ0sp7GLsy2p9iBWqJwvtqxkng6oozBbLhK1DjNSLoEyO6DxqsGtcTaArnc05q0jJl2y2yaRMLSueylQLZ
            W0sK1VrOWjnbKeskSpVaw+oUmvYzRarVYtgpuutEoysak1MtMb9TJrKAysQjNfJWgwQ6mbrREgmSkMMJSxqSf4s4Etw6w+rGsqRDMKsSauBrFG
            seQvfa63pwAuRa1NL76up673sBoxLSr2mDcHJixHpiYxs645sQquR61jKo0xOrDasRslkDQhtSsqia5UL+CsuxzRseivhTEDLAKnrbAWsuGs46
            z5rKuk0bBbIXsdbS0jMaMsBJhkKVakDrDSK/Cq2i7UK0CmYKiwLgKg06ZSpzosNye+qVwsCq3LsicqR7TFKFkpeCo2qyWsUK04p00rf6mnLVoq
            u568n3op4C0RrFWr4yjwpYEwl7jZsk8wKC+ir2AqmC9cM8cxnKwbrLExNixCsDwvYrh7t6a0rDOnr1uudjUPNK8uMSgltMIiui/aLK0wWzCntN
            u1UazpLZcylidqr2EmE6/mr2OnkSwgMKetYygdsTC327RVrmIwsSl4sAgtuC8itbemRqUcLp8xcywPKBcwTyNvrKyscC/eLGKs3y5VK3Ewv6jx
            Lg2vObIGrgEtGjSDs9KyCiSuLF+0M6FmoOUxNilgMm2zTzNZssSiCC4TpVg0xa5/sB4nOKsio1EpAZ9yL3I0vzRSKrOqOTC1IM6hqbMAN0kVJb
            Y6uIk0prWKr/mu86n0NCiq/bDvq2ew3CwqNGImAbPMqg8vzK82t4cgzDN2LFuwripnN6umwZ36Kj81kK3fsTM3VTQUqUEsJqv1NPYwFpouNG2y
            Aa6QM+osoLHHK0awCLVfNKszfTM1MEGtt7MCtRqz/q37quyx6CcMskikDDDwtJIlFhwbs4K3frVZIOg1/Kp3MkW1uqY1snsrkTCWM5CxKqkkpl
            oxzjAzsZ2xxzLbpISiNK+dn/wi2iFoMcG0FzU0tcosX7naNJU1njbErAs46bR5OD81szZqKVG4pbWtst2kzLSTIH+ulaRtr3K0lbAlsXK0UKoL
            HdW3pLcKsOg1yamJsBKsbThiOFw2+rMnMbuygjf2NuI1wa8Ks/S0BC37tCWxebfHNdc0BTbxssk0nayKOjMzGTg7slSkKLCstisywy0StVSlNL
            lKsRezLy8nJSWzLyoKNiUo/DZ3NLwxeDUYqRk1lDAUNRw0VjUtNKc0CDWjMPIrrDQUuH62KDYlthi2Qri8OZU1Dzkctz84Q7arND862zdrt4Aw
            PCxeNHgxDiT4saujvjPJMY8xRjR4K48wCTIHNLyxWC1+M3OtFSwwMHgvmqz8LjusByv6KKesZ6YxLqmsxLP0LiqvTCv2rOkxeDHaMu8pqy4gLM
            osfzOVLIAvlqYXqLQpR6xVKK8tvh1aK42jNLSMLhMvDyavJlMso6TtreCkbTQXs0ozZK3rsN8rBqOcspipeTKoMQWsOjANLa2wCa09L7mzT6iv
            r/isIa2EsQoxXKuiMdkw7Sh3NJO0rh6mrF82KjTMsHwnnDLCHEkzdp6CKkgx2C0tM4qyODCarB4raCKjsLEs4K3brX6yqCgTLO4wGZ5LML8n8C
            tCLQwx2iAMrCuquaQxsPsrBTBFLKKvuqnQobCv3DFUKvAykCxTsBqgpiNbKn8tECxptGAo+LGCLPCtriUwLB0wdLCHsS20orR1r5YxM7NOp7Wt
            3KSksGqoyShPMAusMyXNrXUnnC86NHksXjUhspYipConoju0B6QIq9kuWTUGLUStkq4qrRM02rL1qyMtTyoZH8i0ELbKrQW0tDCxqGMzSTg5LI
            KrjzRXNc8m0SHqL2GzTzZVtmqgKyxmLksvl6WwqIgzh7RYKKusWygXLDOrzLHZMK8su6TfNPo0g6/ALjw2LS5QKVqp+62pqO2r/CspocKrObBj
            qIyu3apwLmsnuycqJIqpNay2qpksjLElMYoryy2HrNYmMbDUrakvOZCvsrCuKLJwKBculi5TsZSuRzBTrP6iUimQNh0xJybUKVEtra3qrK8vPC
            AoLLyldTQuss6l+7JlMfIwtKWArl2ygK0sKwOwxy4asVkwPTIfKoOtnbbHroYyN7JjL5cx0KnarC8tMy79Loim5ynNrTOqVSLLNFysoxM4MGwy
            TTHHMIMmDqb4L+uvnp9qJ18rtq22sfes8CxhKlIt4CncIKMsup5rL4kz35Gysi6sPLCdr3IyK6jUsrmpPzIcqZuqPK0Jo5YrdChsL4ApYDDlLk
            +yLjBlLzOn3i1Hrz6u5zApMKKo8y7hJ0Uvg7SHpbSmfazEsRsqa6hqsFk2j6S2rP0rjS0tqkQpainhrV4sryzrqzKtVyYhNtmlnTLuKbQjky2+
            L9gwPC34KHewVS77Krowvi0SMn0zgiNIsLatRLB9MSSxQjCmLSY25DN5LG0tizAqrRGpoieOMyyzyTCooBApjTItLTsxHK9TJGwhuTIvMR+2Nr
            GSLlQvBjBQL+2q5TERM24sQaMvtPAwKTT3o1Un1TFArPEtaLOlr1OtFpnZLeYwELPpsvQgMa/PsL2tYZVRspOsdLCfKl4ncTXlr1koqjDKHRCt
            1TOAq6uwR7LfHb2kjbQDsYApkTAXrxAsby2ksWWrmSY3JT6z5yQDLFQxZLJRNIW1pi7HMwYxJZcGsNMs4bDZtIs3N5k5NMixfi54Ms0uSKecsN
            4fcbOqsZou2ihYrbMsxDUPNdQqJjHNrbomfzI/tYAan7FzK/0ye6wjK6evJK7wpsw2XTYmMH4sCK4vIHM1izMPMDwxsyiXMIqpxCvatXsuUR/6
            MDc0eit+sBGwrDQQMr8yly6qNSevLDREK723PDUGNI6wHyP3rC8q8LTLsCY0yCBkMD+mbzX8tZMbLLh7rCs0cqrBLuYsbLKfq0stFqvRMaowmp
            5epxIyrinxLV04USkTKeKa8azjJGUqUzBRLP0zcBggHU+mdS6dJmQspjRmKwIgIjCINkex0ij/MBWoSTAXNIqkFitktaCuSiq2MEMugTEHJs02
            IjGTMCoxpy11MjkyHKrOMC04ebDRMEesU7WOK7G1SLHiNqgow69vrCayQCx2tDgy/bBRqOm047NrMWSuAq9rLsG02rS7MLEl1jFUJ6yw1LGIq3
            MsMDKtLEMrByzGN68zUbFKMYsymi34JqoqLTKJsJWs7DO+peWu+TRXrNi0kKuDMsKbxqYUMNayQ7JTtEq2eCxmsqCwlLSHrTiy3rOEtoEui7MD
            rxc0nbLAszStTiQjJs+ytDPCsk2zFLHQsjiwObM9rMyxEC2eLASu+K41NW0oNx6XsMguQ7hlNgE3+Tf9KoO1UDVXtiUvUzRKOfO1YLjZNEyx5L
            JaN44lvrTcrx+yqS/btiA0sbI1stSwTzGyNpaqZKx3MlGpaTHtOC068bS2sBkxMq4iM/M4wzVTLAUtLDjYsOYnSrnMMJw4cDjLs/6y7C+tsA4s
            vzTGNSO1ebbBNQy1VzGkqXS37rFzrVWnM7mAMWqv9bYzKOsw350AMS2whS8rHkg23zBAN6E4ZzQgOHqtdTNksl80jTbxMf41nDB7NbI3I7c/OD
            U32Dftt5y2njcJuYw0JjaxNqu52bT7Nlu4
            """)
}
