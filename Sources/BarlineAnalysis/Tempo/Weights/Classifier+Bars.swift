// Made by Benchmarks/Tempo/train.py; not to be edited.

extension Classifier {
    /// Scores a metre and its phase.
    static let bars = Classifier(
        base64: """
            MFQATABA2p0dts+kOSQMrJcvFrUDnSq1QqSVIymrVi9TtNeX1LTEooIiQarALTKznpwztB+kbCMSqhIwQrRPlZWv2KOxIx6pxSjJrxad1LV+pR
            Yl1qrqMFa1JZhos5yjUSNLqp4vrrSrnkC5xyUap6Sr4xJyrr4sHC++MO0xHDMmNBwzpTqtMkIs7xh4QDE9f0EPP3JAz0APPWdBbD6MQkVAuECO
            QXk9yUHhPvdClkDtQJxBwz0oQoo/W0PeQJlAgkFwPZFEJ0EERYZDLkHqQXc+m0BjPa5BZT9jQAdB/zzNQiNA7EM+Qa1AZkF5PUg/szuSQD4+5k
            IbQ7E/nENYQp1BI0HNQI5AzUBRQelA/kP/TKwllSfrrpa0SjHytLQnIDB3pVe1cqRXK7AnhanbJ86oZKwEoQO0ALF3ptQwK6zCLkEnbKaRtTih
            NSl7MHuuC6xqpc4loSmGKpyuECPRII6w4LFgJW+nvi1KMl2zpTBrKjevNC/BKN60eTP7Gg2qbzAzLg2tai0IsFunBS1dqaqxjamxobkrIysfn6
            2n9yxCr0CrY6kbKtcpRqMUqCWiRCxdKiodiCoJruMl1a0XKqipGy9GqQGxYy6yKY4q2CxvsGCqdi4LsjSxva3Nq3Mt+zFNrz6qJCELMBosj6hY
            MFEnUB9DLeurC65uK+awezHLpyWwrrBPqHGoFCaqreSqwSKvrjItIrAvMVku7ygQMCYxR61vLZWmOagvMB4nwih3rWanlK1gLcysFqg4pnWqRa
            36rTKoCavQo1iuN7A4MYiso6iOK2IvFK9WLJqtkK53K0+rzKbqqQEwviTPoyelhK5WMU4hkh7iltUejA0vLxIn7KtvIpApZy7LLWioGqx1LeMx
            bCtTLagoxiwcMecnrCxUr6snBat9MHQ05C1emsyzcjAtpECqciifriiy+S37HIOfj6wOsPqp2yrdsKCr5CCJqqCkT7GyKtAw/bBPpLwjwS9BLs
            4xLLA/KkQipabFsiKrLSm4rGkt0DAGM7qmJa3zKCitmLU2rB4u2CwesCyxfytrqAyrlCBaJ+AtR6KoLQqqPi4TJ9ojmrGiLbGsCKzjLu8sAhu7
            LuUwFrRbIKUkUCSdqfWpcaiVLWYg2qABMC0lGiTLscgtUjAIqOUuu6gaKqKwJKzdKf8x/KkDK3av+yzLMqAmCyO7Kcyvli2aILipR6zxrQowdZ
            Qlqm8paCIEpOAt6i2rJK6rnJs0K/etSCxBMFCsyCluqbWqnKqrr0ctLLBhJ4oyVzIZKvouQyOorWimZqjBLNYpCKwUraqjyi1pHt6lMSoyLPUv
            kybwJ26j3zSmrAsfPq9pKlyv3rEhLFgqdKwGrvCrrSAFJSgyly3Pp5SvAatjqTuqHatRrfstWCp4MVCpUDDYqI2oghjasoCkqi4hpXwZDy5vsE
            Iici9YLzOsqC3MKhetVqDDKpIrp7LsK7MwmTJZqrIrN7AZM0anLDHRrpgxxq/Dqqsj0aZop26tVK9ApE6ugCN3r38sny4isD6sm6y2LT+no6J0
            rdOqrSsyMF40Y6l8MV6k8aOaLU6fAzQfpJSr4ihCrpoqmalmKNitQzD8shCvtKSMMJuu/6ymMUOt+TSVprquCiyALUEpfqyOqz6w0DHYJo8ury
            anqXgxTDGaqU2wzaXdr6IuObD7qZysTK7HMGK0PS44rBIw3LFEr1WxeJ+5qh+nlapgLHSuzCqoEEEs8Cayr5WqfCdMMnUxAyzgrpKiAKA9qR8p
            9bAuHRAoEqn8LIOp0KpIKGowJySLM7OuHCVJsSMxgixisHMgYDPumLCuayIprS6o66nsrLGxfyjdqnUtL6+WLQmwrSttnXknWDB8KMUqwCLyrE
            oxyrXhL+ugEzIvtXeypzEdLd22SC+ltH6q5aCKLeSsjDDSMG8yhacqLtqy2a3iLTcuk6xqMNivCy2aLz6oPzdXIVanwyxGpIm1ETOqLAowoq0X
            L20oe6BpsAIhNi0AtkUtFLE4MNG2JjAotxKomTLRMXyzpy26rDKhoSfgK7YtRiWTogcrdiyhJmIo2q0+JMYn+CzwL8Ww5iQxLiOpvrKrM0owTS
            4hrUIsEq4gKHMlBibwLvYkCK0FMTgq0KV2rQucsa2fKzcpQTBOLiQnqTFXNPWjvChPJeMiX69Xs2Cs0DRDrVWrfCyLLMgTDSG/rSes3amFL0Sp
            xqr4q+yvaDBbKpws+6o1Ncgvri6Ep8MwJafBLsots6iAMFgkiC65LyOs/RxnsDUbha1dnHIo9yhcrRajLKZpqHStDa7zsRUu1DEfLCgxBikOsS
            yqn68KrB6mgLC5JaSu3S5IKmCql6CsJJKsu608IVIwRi3OKAwwyJ3PKIUr9akoKS8lsKVRIvsosiUSM7Krdakdn1moCK1WKU4rIi0ArSozxiKO
            pz4k8S3urgQliarpKaQsei7pqKAwhazIJior4qWOrxWtA7ZYrZSzYCsYK9YtXLQUJ/KmVaioslgY47TfMXAwzqo8stAwKLCaMsEt3i+DrtiyVz
            ASL+uwXiTJJZqn+q+yr4EwsqVtGxyo8q4rrFSlw6KsKecxorBUqjyt5ywnsVmt7LG+JRa0wKm7sEYq4KzbLL6o17AOrzAr0iSkLEKpEi88sSGt
            mqj5MTWncSgcrl0q3yeaLI0stDAGpN4uci+nLRCsR6x5pWouy6h/LFAkT6jMKjYyxTCaMQYbVy1VMS2tVbAkqCikxyWNrPStt6obmoenayxsrD
            GjTyl7rkG0hTGxtRQ0lTVDKcCoWjFnrtaucaritBstrbGVMmamT6qZLJEyUCLZL4es/7RKLJUw0ar9qEUofqclrdoptTW7MbUkJ623tJ6g2THA
            sMexTSy/Lo40jjT9nnYyEqL5s/C0uR81oYwyP6qis/Mx8TB/LhwuPLRCqXuuXLE4rO+vBLBcr7uqyTc1MDWxsy6QNMUlJ6QCtSm4rTEst7gwHL
            RKtfAuS6ZLrJGwF7KaMBo0TaRALwi1IbSmMUCwsaJCMRAyXK7PrSQz1S0DMxsx0yxjK5u1ijYwMxE4sTRasIaw5al0q5GuorH4tDWuabSli4Wx
            3qe/rFGwrbSQsKWyzi/GMxwrZba7s5u1PzTftJewB7URMwE2xTQBub812rBkNrY15SteuCWzXqgeMxWz5a9vt0Sy7DiqNpO3bDTtseqwhLRxIx
            2wsjJSssS0grRPrjW3xS4Dtl+y8TJ7sBqzLTMpMXWrUTV8Mm00qDNUNEUxBTaZMkI2vjO+NUYyEDXCN7s36q3euHG1FrkvOGe5srdxtbKxtzWk
            NGC39TexuSMjxy9fLhQ0aq8ttPIwDCd5sXAxdTGNtqsvKzVwLO+vVyg3oJ0mmzCEr1Curq9BrM8iD6wYmnsy3ajyMfGrMrENLUimiKhEsLkvy6
            S6p/Ap2JnJLcYlTqeMqnO1S69yr+SsEzNmMZAsG65tKIYsLK22lkUxzSVBJk4sWDFmmViy4iqlqvEmfi6yMWitHiumJRYsXTDEoqutZq4UrKMs
            lKsiKQ6yjCVtLUqwJrAQsugq9Cv7qysxNrCQrIGxo6XisO8sH6h8IRKrSKt+ouYviTHtoT4xrDJsoMky3CUbI0sk4KVFLKSuraJ0sC6yIinMMF
            IqpyldK2+01iWcsMIG3ylBKc6wv6tDpbmwBzF9qSiw+jCRLfyn8CkUrIotoq6dsO8wHihhJcKpTKw9J5UtRSN/D/SXIakjpQkuo6eDKgEw4iRD
            r4yn+ipYrjusoy9srXKpMDEKrQWsf5jaHnqtDiCyjPStEamwKX6u6idxIY00paQiMqUmLiUyKxMs+S9XKNAsKa/lKWAsdyYErc0lozQpqpogYy
            2LsHoojLG5LdKYOjOfMf2gJ6l/o/ykJCROLSIwzqsCL66wnC7kKyQkjSlirq8x8KWmMEIj7rQQovgl6zDRKBoocrNRLFowGKivsOCsWyobNUUz
            vybdLNSwAjCIpwam2CliMaGoQzFxsTq1YqxBJeCn7qpvoSGvTaS+spAsFKpRLg+qZ6MmMVchCCvPMPInOaydqTsoCaqErIevuSkXLJetkJaUKZ
            2wAafIpr0ep7FOrG4lqTAWsrYyh6dToKAxdTA1rBwnIS9woniyOzWUJi8wMKhdLQIsmixfLV6wDyz7rdWvxa3VsI6wNKycMwkzvakIJWSqyahK
            LgemxSPoqNYtqx6wLF0u56pqroWvQjIpMjsk6Ki7KFkg2x97K0ynNJ1Qq7mshbPJrUqxxqfBrlYqtC3HsYiiLLBTmCg0OSPyrSs0p7IaMgqv+b
            XLMXMysalFJXQnjCnvryCv+ymvqscqXCYNNOMkqCl9soWu2S76r5EouqRZrjcs3qwdmH8seygepQiwY63Wo/sxsTR7LxQsGC61rN6uiq3PKAam
            JDAAKb+qV6o3MUoiPSxZLDwxRS/7M3wxNrFULPkuc58VK5csEbDvmoyuq69gszsvrC6eJUCybDDdLN4sPTDWKMsxsjMDsfAsyjIdsowkWyoyqJ
            ct6qgdLAowe6ydqNkstZtkLg+vazB9shEspSQNsh6sTK0SLCAx+qi9s+MwzS3oMdIhpitXI34yAysZpX4pNaWKInkzBa+xrkmsci7rMZ+qd6nX
            qg6wnbCeJbGv3ytAIYGu6KZcM5AqKpW7LUciAB0+HMUovbLtq88lZyznr6mufKsfMFytbi8wsbSoCS/7rLOq5i9joh0rOCuwLkWyQKpvri8kzb
            APrU2wrK9UMciX7658NDAhS6pDrmkrZam6LQEiNqusLPAs/CciKiewOah1o80sNi3FI14olCWiMqqgqDI1MMsuirBXIZUp87INMYMxnrjqLpWq
            YaiisQ0uth8IrfMtKhdlrNGvxSz3sbMvhDPmskIxvzHrrMqs0aM0sWyyLKTwsiCw6KoirY40PayzKrApuLIutUOy8qqHMKuV7qsLLBGh7azzsd
            0yg7b4KmwwI7XOLmYyfCyeJ0cwuSpzMUcwOSZ9rGwh1yzorbgt+SdrJiywQynWLAysAS02sFU0BzA3JCy0zCqcKcIrMQgrKWUzaq+asAeoNrLw
            MsUz16U7sT8tGy7vL1Uzo6mELsco7q0HL4esCzIsKBqrJzMGM0MwRKkFrws0D660qmQo9qqysqcifKtkqdqv1yxaMLqsyDH/JPkucCxFr1Uoui
            JgsZenhCY0LBKwrLUhrByw5a0NqT+y0SnLrS2nQyneJKSsjBSorE6InqaXLoKqgjA/qnExTKtyrrgypqRjkgwyUqHGrDkpPa+bLc4rCp6CqOyO
            2Cthrqgmc7EQJXCpXyjLLMaw5i10ldmnFK7epXSsfqk8KywnbxeoLK0rOK59MQcwKS/qrl2ndiQlqf4uyDDBG8yayixSqgUxxCzlMJ4sSSsxML
            IqTq6GqguoaDOpK04tBazVLOqwazMQIayeFC3lpzu1/C+Xsco0lq2TLtmx+TDyL1cnUKgWraAzX65NMNAxlbEZLfwrBSszs2kdJ7RBL2YobqOS
            rBKttTAkM3AofKUFLpopQrEgMIIe9y8yMWIvbaiWLb6wHTNcpkGu9CygLgWxoC5aJagwWKpIKwapY5r2pxUo0jBvrSgse7HaMFMlUqFdrk0nOy
            rULHww8ys+qT8wwak0pv8tBTNFsAYpDzTCLWqsEq2cr6WquKmGKGuwL7MxL3Ks0CzVMHOv5ixTLxGy2DPQKJqs5i5gsAc07TXtNLMqcTEisZ6y
            n6UgKzS0pqH6KKIyIa4VsHatYzLqKoOwzCg2KR6tOrH2sB+ou7HCLhEtOq8Em0atlDUtrZiwMrWQsI4f4i4KNTspiDHtNRWuE6gDs4km3ykQtb
            +ysDLHK9GyJjBBLlO1lDMxsva2CCrqG/SsNS9nIJK0LjaSNAw1GzAdKu8y2LSQMze1ArfjsXEpmS9bM6epn7KZMCYrn6r3LUCyJC5CtDWvx7Tl
            twozeqpkM2kwGykvLNcwljXQK7mx/KeqrL81tK0cMqguDDSDtPGxDLExtLSM3S3prHSu/DQAsZ8xgbCnrwmvFbL0to42d6+nLyEtfTRotK60z6
            /oLzaxnyjwNFOwkS+AOP+3Di1zMAQpP7YLNcS3mauoKjOxlK9Lsq42cbG3NhQ3erQEtMytqqh9scW087ACJ+iqJS8XtMstYbNkn3OyeLFxtJ0t
            KK4rNIa1ITRQNaIqlTKBLtEyhCg2NXI1LTQdNws4YzQLNcQt9DJpOOG1trO+tj639rLIs8w2U7mNOFc3P7i5toe2YbXhtQ==
            """)
}
