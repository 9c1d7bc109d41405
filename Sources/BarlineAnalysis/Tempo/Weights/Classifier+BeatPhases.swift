// Made by Benchmarks/Tempo/train.py; not to be edited.

extension Classifier {
    /// Scores a phase of the beats.
    static let beatPhases = Classifier(
        base64: """
            gFEATABAADQANAA0ADQANAA0ADQANAA0ADQANAA0ADQANAA0ADQANAA0ADQANAA0ADQANAA0ADQANAA0ADQnNSc1OjQ6NFEzUTMINAg0ADQANA
            A0ADQAAAAA4qiPMAdEB0QHRAdEfUR9RH1EfUSxRLFEsUSxREBEQERAREBEY0JjQmNCY0L1QfVB9UH1QTVMNUw1TDVM30LfQglECUQ8RDxEtUO1
            QwZNBk0GTQZNqkEfP1BBB0VXqiusS6T+rVWiva4kJ+wvVbajrS0jWDAuqy+vO69ZrGGzCqy4sfSxt7KJr+Slea/eNIitibXJrNIw0iSKpUosIy
            qXqCku6ap8qW8oTK7zL1Io2iWprCipFiw2tA8M1Sv+KME0yC3uKnYuqjRlrlIsiSCQNNc0urRxrEgyXy8usd2v4rCfML4su6zCrKkqAbRctM6o
            Ji6CMo+pI5f2sI0uq5sSKGMmGihSp3WuxiuEKdA19zHTLHCseCrpLyUwmyX/njAla7GqsGiuO7BIqOg1aK7kqjAvEq26rbCvHCWgLP+rPzCorM
            2vmajrrFUpybE1KtOue7DmsdKwkCI2sNYuxLBDsRwrPi79Ma+qcy4oMbG1FiW1KeCqoi0JMA2ym7S6qlmoay5cKIMq05xDobMt9zIDLTwec7Dn
            qk+v2DXjrFat/i0Aqviz47JIsj+pjS+WJtKsO60wo/mpo7E+sKOZyjKwKCmuNSifsA2vlqwHsoyoEamAqf0wW6rssdao1zAqqm6tvC1TIyUufy
            l/rM0rHLROoPmoxzJpMQUxTLQGtugpya9yKI8teLD4sz4xQpnMMl2kGbD7sYsvLKnjne4uPTLqGMC0kqQUtA2tGSKOKBUe4i26NHWtoCnGsf+Z
            Ia5mLBc0S6O6Kn0R2DCrrK+1Y62bsKi17rNfLCcspqYYKqEzCLDiMDAs7DEZMgqppCwPuAwxHiUrKx60FjFGtIizJCxTL+ax76Flr0y31zAary
            Qoe7SYsmIxEDOir8Mx6zEXqS+u0rSnLd6tQ5lAoTqs5CzzsOeu7SxYM72xQagftVOwAzZZrQGu3bIXswgsViz0LWavUK8MLZusRrGpLkI2qhUA
            r3w0MCmFLh4v6qu9rqe2yTRCKTanN7O3Mei1k7OnIbiw8KZWK/GvBqvINIeuyivytNuuAjQkM56yPzC2pc2gTaY4sdartbNIsD0eDKo1NMgs56
            VQLeyvq7Ljst6ztCbZNfWw37PDsoix5S1xMbMuvrEOtMknR5oitAwySTDzqEktpDIls+0r6aaPr0myorB/ssqlLSubrrkw6axVsRixMqKpp5Iy
            S6yns7Ot4jAHJkS09TM8q3gvWiQLrZC1cTSwpUQPPAyFq1SwUTKSMTetSyy7JWWtxjC8sRooBTMxMcEveq1WsCgwMC6NtBKrFyfRo3csDCw3MM
            mpLy37L0MoljYjo5UwQ6hRolOyDTAJNiqkeyn6uOWqaK5XrfauZTR6pDKwlaq3qwkwZqrCsw4ofiyhFMIu86/rsdkyNyufMbY2wCt2LWQvzSaE
            r9anyDE9M2AvA7kFqh4sWzJmrNkoTy+jL9Wu+SSUs5sO4R2cMfCZu7T9rlOirKoJruGrFbHAMK6lxTA1HkOksqpQo4+uCq27qKWyzprHq6QjFj
            EwrXaqliaBquYsrikTrXQrPSl9KqatTLQLIxUpki3wpVqs2qhinncqfKjPru4nazEGsQ8pGTAat4qq6i0YLWYajqwisYsjTCRdhEe1cSqWLiis
            QyoTtlkyIKUatogcUrBguD0xDjE4tKiuUDAcM46xCTVotiazFSc6MKicADOxmnUoWy5kqEYyNq8ZtDassrD2sqMtYqWXJ1SxybHIrDC0Caz3tB
            Uw3jJQLawxozVQsD+y1zGrMeQxZizWLpYpZjaYLL+u3Sn4MIcmlaWntNwv1a/nMAiukyxopk0oV6hCtoyuMjDEmwarkTByLEWtBSk2KVojRC/d
            sIKz9ixVsCMwI6r2r7UvWqv9MS6nfquILgoyhjKJnVqiBjC8LSawra50MfKy/q7gsQSlgyqBMrat8y8fLw0qKbIlM+mtESYttXG0WK2qKcCq6B
            /FskSwLzbos7y09i53K52wBC6nLB81jaRMN4E1lDPONfYwHjR9qBc5gzEQNA+tjDLZNCs3FTlYNSy5LTjINqA0pDSwuRQ0VLmyM/4087X3uKA0
            JbcLuJytjCdfsWwvh589Ly0zliEqrVakOqrXsPAlnLRlrnC1MjQIsQyvV7INKXutmqSlsDspbi1gq2IvejDbMyIvsSsRrHwopaVkL2mpX67gMO
            UsYqvwKVoumZ+qqWwq6iOYKVqqtR4aL0IuAyhQIdOx3C6RM5EvFjUKsqCxiaqooFsvea+usqoet7L9qsIn8iwWML8qrrADrCCwJa45onmykrVU
            Mj8mnaLCLa4ttKeuLWsreahnLrKuTq10pAEtK6UyMvIeP636sGMv+KDZsLunySCLqsasBaIOL4AzRa/DqXiogqQKsuCq27EqsIgsEqv3siWwn6
            oorO4tybOKqEMwzS2KpTqpHDFKqgiyaamcMWcphTR2ob4yebHlrjAw/LGNtCYuoS77KXQiyq18sNGqgqkyKnYmfC8fscgrWDWIMxQuFS0wMZCy
            NSStLs6cfR3fJle0haxNswOd0y2GLoCpZDCMrK6xZKsrtc0v7TW+Mw6s26jNp7quhzULsAgsJifOMKOsoyb2LMspALBKJGunB7QrMocdiCt0rj
            4tN7LlssuvFjZBtE4vEbG1KS4wwib+so0Y8y5uMGyl0y9BMokoxSzrqUuohbLBL0EpgrDXp8MyCLPPMGUwfypbM7atTimEpl8rjC9PrlyyWimz
            NDGquij4LSIuiKxWNai0WyvZpyEyoq/0IigyWKb8starhawiMUM1oTI5NCqrL66/sT+xvLG2KN+tjbExtIUyEbNMM5y1vrHXsS+0ojK7MKs0NT
            G5rzwuZaUmrzGq7J52tNMtC7RNssetR61wsKswjbRtsMyvHbTJsMOoB7KPMui0YSzNsnS0o7HArIc1Q64KMA410zA/qCct9DSxscqwyzEiqreg
            FTEWJQowdTBAKLK1T7Ycs7kwZ7CvspKqvzCssSQem7aNsme2mastrEUwwzQsMYuy9DLwLVWxp6k7pZW04TEesg21haLBqvaqei4frocwJLSiqj
            ix0bAcsLSg4LFiLjywjbRiKdoipDEGrU02KTULM7WvAqmNLWGvCK57HZCubrGaL5W0ASv4mCko067XrYGvLRw3L5ErOBt1nsypfK7bqbWsdyxC
            stSwBa6DsJQlaLKHMTIsla4krV0wiivWMI6dSKczNAcvwTHmL6g0TqZiG6whd7B5Ld6rBDUGIP4cLCk+KB0xAavPLc6zja/bLg0xo7I+KmenJz
            HttA2oXLeSreonx7OgJ22p0a7vHE40mDSWrtm3mKl8t+Sr4TE2qkYwCa9ANu0sjjDlLo8uECscKE2yGqm8KhgouLLCMfayCjS4LGgtwC7EKPCt
            DKiXM7s2qTAOuA4oELgWrlw0S5G2r/slKTTrrdal/SawqEQvaizKqcguSgn4KXqzFyrPJsSrFKRCrtytLzQxnBsj6SzsMAEhAbJdnser+60PLA
            ApnykqJ3gyyypqsO4g7DHfKjAmX7K7KOEeTTFssdosk6glNMmscjKtJ+sZzayRHSspqSSzrHixWql/sjIyBy3fMVEtHKutKxK116OVMDeuH6Bb
            sWY08i6isIqwojAksTmgpbT9Kta5fq3kqQwyojPlMQI0XbJILlSu0Sd7sHy1O6khLNSkITGzqeS0XTBkqX2lwq5UEQIkUDMnLDQ2Ri2cMKYwrC
            mmKY0oQTWXMIs0QbHGq52zIiYton6jtLS1rKO276e8K5gyDDRgtC62s6wLr7WxBSl4L7cn9idIGc0ji7RrFq4yQizxLjovfrFStQwlGzEZrwyw
            ZC07LtQpo7IdMt6u1jMJLWYywamLsAYmB6mJs2k0C6zeK0GvNrFgNakzGzVrsZMyT7OltXgjMZ6XrvO1s6muMB2UnzGwLJ+tFDDItkkno7GCsB
            Q2Y7HNr+i1cKx9NWitBzaWrDs2ADDyL8oyqTZIphw00jJDNMw1rzgLOEi4OTXaOOM07LblNHKyNTatNGs1YzQZtpaxqbg1uOe4
            """)
}
