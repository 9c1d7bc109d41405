// Made by Benchmarks/Tempo/train.py; not to be edited.

extension Classifier {
    /// Scores a phase of the beats.
    static let beatPhases = Classifier(
        base64: """
            gFAATABAADQANAA0ADQANAA0ADQANAA0ADQANAA0ADQANAA0ADQANAA0ADQANBo1GjUdNB007zLvMmkzaTMANAA0ADQANACAAACRqwcxKkQqRC
            pEKkRfRF9EX0RfRIVEhUSFRIVED0QPRA9ED0SfTJ9Mn0yfTP9C/0IZRBlEWERYRNlD2UOsTaxNrE2sTXBBRz8XQRBF0a8VsUwsTLP8LWyqWzAU
            NYG3jrXlpNgxfDGKISovDjDurFQuN7ZMqX+266+js6EjXy/EMPC0aLFasFKx8bXaML+yjKaZJR2vhbTarSa2f7ANMQEwiK4IsW0cgbb+pcWzx6
            hFNq4tbrAEniYttqwIMHAyRzQINYGyr6CAqxIVb7IctL2zUDLiL8avRKupMe21yrA2sZswMTGqJVqr2qGLM3Ew3zNTsNEx67SitfywrrNjNRg0
            ey8KsWC1W68Dsn82T7MHJlauNbggqa+xmqlyNx6tWqxpKigvAay2LlswU7N6sOktNqiFsYgtOq45MZcwXyOwKYsoM7U1r80xsrQbLbG3ta3xrc
            goUi86sU00aC74rFiyTK2Crww02qwpISixHzBtJwgmiTD8rpex0bP5sOOp3TA4LJ20bLentuQvKTGzseMqkzaitPojabDWtJ00Ryy7F5uvaDBP
            ruswvbC7tnU04Cj1qD+mJatSrPgsn6TSohAwizNmH8IrTazisikvFajcsqgxqi9WNE80GCFuNG2zRqgIoZ4ynzZUNaGvILV4NUchcbC3M8m2/r
            aSqgGvnKjmMEuqE7YTss21zLWkNVWvJJTOqVO2M7QttgSnV6ozK2ahdTbrsoEoDS1EqG23miYENVSx/iuosMcvLq9quGQoua9ltpe0yi1MsDy1
            zKwJNIuu84y2qE4ujzLTM+SvVbNALPSvKDPbrYYcup7frhAzvSs0LpYxVSqxuACsZjSOsoi0T6m+LNEwRDF0MZkz7rQQMpC0PDWGpKUtT5cwKr
            41bC80MXyqRi7Yo86t87bSrMo0dak5sTYrWKsCGh8sOau3qnm1zqUrsfepBLHjNCIsXzT0Mk+sTCRDLJsrO697LyM4V6/XJO+qCy97qTiz/DLW
            sQmqPDBPrT6omzEApxuxoqwBLxIwPJ4Btsq0USt6KTarGixFsu8urS4CLBus06zLMcCs4C8msJEwFrMctqkbCiLcqXG1iKrjsBqmrzdeMjOlkb
            MHrEWuTbW3qGgoZy6PrhQub7EnGwisXrEfrOe3urQpMHmtLaY+KJG0ebTsJd8qzqoKLjwxOK1VrXYzlCposn4pXjKdNLyqWxvEsKg1QrEINiuz
            VjHqsO0daTXAuFqkn6e/LG0seiokMtunpbJIK+20G7TPmcEx5rVmqnUkWqy8MZqxxDDLtDSsuSmMMeotbrBVoCekWrBTMZKvACl1rhMlmrSxME
            C0x7ZzMDAvS7b3qTW2wKz+LYCxuqy7rZG1263eqzSy8azrNlOyb7aNMe4wkzWGMkWxo7MiLGWmUjVgNfGvHbM3qssz87mwKo61qDFBtWwxLa/f
            r5gz5aW3sey1urQYMDwsFS+pL1OuWjABLMwyAjZaLN+idKyNmSGyRKo6rQsxZy5ML4gh+a3sstYq8a1ZMgMxGK+vora1prJgr8izEjApMCctba
            3eLe62MLI6JdwqwqJWsGSvk7JbroUosbVeKWSfgy4Bm4expyluMYyuPykKtNkxwzSdMvc067GxJ/AnZLRIMSqytjTVNXcxxi7YNFMtYjM7Md02
            HDUxqYcyFTXYNKMslSb7uG24QDcrtH80MDiYOEcyYba+ucSyDTKNMnsz2DaFuLqwdqkrLZ81kK9xsDCqx7SlsMOpqbHOM3C3cLF2uEe4xrKILh
            w3f7EALEoyAzSptVWxfjJVMyssyDIyMv4xAjVBsRywKbSCKu0yuytILgg1SqrEMVeyKbVMMMApMDV0szqrjDH/rYOwqjGdK10v1ituM2EoXTNL
            mCmwfydQJC8yT7HNs/ixYaYvqEKqS66XMFE2sTIrsw8vQDMMrySzCbepNKUuPjKXuO00ZC8zLhow2awWLsM077azKiEqrTXiNAiyrbAEtuMvyK
            1BtaSsbDYINAKkyCySNIsj07K3MBMqPTKDpFU0dTUDMGOizLQ9MiEq3CenMFktAbZIKgmrPy5gtQ2xc7ozNKKwzDGRNBWsXbNwtMa3lSnjoyi3
            Yqf2uUAzHC/LNqm0VyusLGmxUCwbMC43tzaysH6sNjZbJtQzfa0pqe60tigupRuyQDQxqi8tzyqKK8KwPZ4dKRknfCWVNT+vuCjlqkY07bYCqz
            somzLkK8c0OrDIpzCscazMNBy2m7dwtx4horRfJCKsIC51MAq2PbacL7u2y6oFs7C61zQDL3o4FLMCNBExvzStMISt8jLrowK0cqToMhqz9TfH
            rv2yBrdIs4ot7bABMIYpcCKNr3eoAa+TOcq0WSB7rp80iataKhuwL6vjroekJ7KMsgasjDBQrb61GiXGNOs1mKq+sGEJNasctPWzfzDhqHE0zK
            vGMOAydK6TNpSrxLTjLDOv7jSFLXy0iibBqVukRTKNLI4ybrXoJ2Y2c7JWq0yszjfUtnGs2y5arBQppzApqCirlbUxs0Y0ILPrMROyn6hFtLQs
            MbQVM8048DV+p/Uw8K/gphIxx7a1MQowfzdBM5e0Zyt4Lrk0nSwEr+2zRypKNQ0yDC1XM5ModCe2MGEr7rQKNBqvXrLCnvEih5wOrsowyTAars
            0y0i3frwysv6tytVuzcy7kLJuv37HwLnArXTCILN0upzJts0idxbAuMWU0nbA5tOKpxzLxLPwwhDAZHwuvbKBMstIvWbLSnSuyN7UHqUGwhbRs
            ss6w+SnqLNGjOijasEMjDajcsAexJqwbsRgmgrELMLCzcK/2sgAyKa4gsVI1tihZNKEaMaUXKU2oSjATMW2sy7X7r2O3vih3Hw0pDKwnrnywWL
            kkLXG1Za25LAu3YyyIruAwmSxQK6KlyS5orjAy4avfMoUsRTU0MYU2irghLQgyL6UrsFC1gaO9NCw48jA5L3GuuzCJLsu3xrHINIWf5asutHCx
            J7GQthkyZLO6LyI2n6jztKgyxDeIsh8Y8DB/uPg1nrfPLF+tkLY6Lu0qLrj1Ndi2b7RPttKxRDAotg6vnZ80rhQuji31MQeuMrSDNJOota1hLy
            4oL5pqGf4wJKsjsCq1mS/ytAuqkzTeo6MvQyyMMJejkbTCMFSrHSgCqqOxKbE6rRKn6a4DNfay27Nrsyu37qx0MXchNrOotio0kLCJqCcz/zZc
            rGOruaX3paa2dbk1rKy0f7AZqwY1MKtfMREy6aKfMEecJxtApkuwTzedMQU1yjUyOAkySTd9MSQe/6xqoqc0RzXMNGI1LzHDN+83U7gHtxm2zz
            Yut6u05bf4tNE2YroEtWQ0v7WwtoK2drQ=
            """)
}
