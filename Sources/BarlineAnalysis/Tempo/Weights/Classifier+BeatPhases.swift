// Made by Benchmarks/Tempo/train.py; not to be edited.

extension Classifier {
    /// Scores a phase of the beats.
    static let beatPhases = Classifier(
        base64: """
            gFEATABAADQANAA0ADQANAA0ADQANAA0ADQANAA0ADQANAA0ADQANAA0ADQANAA0ADQANAA0ADQANAA0ADRJNUk1JTQlNCgzKDNeM14zADQANA
            A0ADQAAAAAPaYhMSpEKkQqRCpEdER0RHREdESURJRElESURCNEI0QjRCNEFEIUQhRCFELDQcNBw0HDQUVMRUxFTEVM/UL9QjFEMURkRGREAUQB
            RExNTE1MTUxNu0EWP/5AY0MTJeitEifPqHejcSDBHgcwMLTFnyor5iYUK8SqZqsBqZassCXprF6qeK0ULNyojC2XM7WffrAxrj6f5CXfqVQvm7
            EqnkUWB7LDHPCvl64NsISu3aO1r9MkIKLnr3uorLA3LaYxryqYK9gkHTBHIBcvVC9WJjMvaiI/ow8qzDLFJNaeXrAjLrgrXK9GnFgvRq6btUmo
            yiroL7WYeawJs6kq9qu6Lp2o46XtpriuMSkJpIU0pi0SJ5YoISmsKIMoeDPlrYOf46tEruorp6xXrF8wKqVgJU8scLDLrL8s3iiKpPgjdy2MIT
            8oECfsol6oQqFmjCKwM6vor2awRiyxLEKrNKyesDQrKi7uIeAoJCipMfe1YqT9FEyupDFXnHO08rPkrwikLBdUqPmfD6snnx2scS3lJ4CosiQt
            pNawhjFHLO+nqS0BpUOyqpYRshqqxqYaMF8cPqriJYewgaD7rGwhYC6nLOWoBSRmDWSqEZ9XsHApbK2vJfcv2a2OlwgyjCWKpyypKy3HIAenjC
            yCrYgueK3Lom2n5S25MueiNLX6smwmU69TqIspl7I5sDMyoxmcLwEitKz+pgQpPrForMU0UzDGJcGxiiFyJOuwNBsjrxKqgSyaMRCqYanRLIIo
            L682K5kwXSqxKHEpLzA2ngCx1C48sv6zsazjpmAs2C+FqUIxorLGMDIrUTDOMlWrijF0t+IwNizuIdywCDAgsTW06SnpLUax+amxsMu0uzFNsl
            QdC7TOsSEw9jHBrxgoXDKosJ8mq7U4qvqu2rLBLLuyOZsTsu2wgTFFNMGwVyTvr4ewqzJIrsKuALDcsYwoy64PLfywH7AEKI2gEq7pJZEuQBSw
            sEsywiXKKv8veqbXKMS12TL6Kl8mprBiLrmxabHoIkeg3K3uqA+x2LC0M3qy4amotLmw/jPwMYeyXCaeLGevVSmDsOCsX7F4skmjNbHXLxOoI6
            6FLHmmErDTsXayEKm+Me2wRbD6r5Wxsir/p64vRrH5sWeVqiq5sJouhqbXI9At6TTmrTSngzEArj8QmpUBrmOipaRPKnEpSqrCFeSucBtCrCMx
            LSXBqhitiixaqAqsYzFNnoUxlSnesGywyS5xs6esJK37mg2znjA5ojwtZaK0p5Ksfa4erUmobDFXMAEw3q3mqf0pCqhQquIrJawoqvYtYy1NF+
            qqczSFrN8wiTSgJ7AuWyVFKduy4SxHNAkcgCwEtggpWqTiq2WoezIYr16eGidmr0gscKr/JE4wzq1UrfwtIxG1sTQqS6HdMbQzOCz2LUwvwSza
            s5cjezMmMFUvo7e4mTIsBDIDtNcx4yqjLPUo366qq3McLDDlMO+jOK7iocQsZLKTrPiqNi2RKs8jmippLQ0h7LM8JlwrvSCaKOa0Xi8jpxUp9K
            8mKxEt36gzsJqoPKhQsHsoDyQ4JduswLNkLaSvF6qLrHysP7BFpeovXy4GqTeiLzBqqKYvEzOJtBwpDi5KNNwrDbAVHjKsm7CRqve0HhHboBOy
            dCVitCcsyayet8SlBbTRt3UonzSAtAS0QjSzK8mnEjGrtfi01yjXLTyw6zB/peGjBzHusFwx9SD/seSy9bJhtPktLCGrq0Uu7yR9rrO1NZlptB
            8tqDD8MZosjTVaqX0rZzM7MzwoH7FHMTqo3TVXMIat2aaUL5kss65JsNQt2rELLs0ksTForu0lrC7VtF4tA6soHQ8ndjDMLCsoTC0RMMUsQDDY
            sEir9yuGsxcvnqSDrKovWieFK/8r/qxmMi4wszCyJeSoxy+AIpGvz6fyMV+2X6wutAAyO6+6r/uwZ6sJqx+qOrF0NPorKLBesBiukCcvLt4u3b
            NpLXMWXTDdLm6rAalHriGw8K4zNfIuiC68Nyw0TzK6NwY0qDMdM3o8BDd8McWpeTGxMQw47jkZNiS4tTczNuw0uDVfuf4zMbquM+c0eLWLuLI0
            pLiXuG6wwx3MrNQuWZx3MP8x9SstIT2bbSQ9sjquQ66sJ+2yLzHjJDmuGKUjHoWu968trQ8kkim1KRwzni3rLeqsnyzRrSkkaRQ4pT2xzrDvLH
            CZIbI1LjqzhqtHljWoa6XbndIxbaccKYYq/y8bKT6vqSX8L5qn1TFqrHcrAii0LT0tZLIRs4iozLBCJ0MtizLfLE0mi60Pn2yz66SyKnqxY7bB
            M52kkaJTJdgxMLBMqLgcJqteLEKw5zFjKSowMa1/Mrmdjh3MKK8sPbABpDmvCSwfLtomypr3KzQweK5alIMrTaurrBEamib1rxArjrECsDurOa
            9ULC0nwrD0sLwwGyomrzSrwiaiqwOxwR06NGehPTHKrUIx17ROoC0xPLS/tXMulyXmKKyrv6fjsQekT6kCqewo46tLolyu6zNtLj8wVyx9LDur
            p6y8Lqmi+quvGquue6W8sFMtxy7Yp3apZCVIrQofJimZpQMlAzFIoiqm4Kceqa2pMDDusGinsjG4MMevFKZVoMyjirHKKNsuHLFGLl8k7Shrq9
            +qM7ACtZmwuzSbsJAZ4qzAMHkaPyaHseOtLp9NHE8huy6iM6ap6CldrGWrTSs1ooMkJa0CmYUvJLEjMSiqzqRJMkCtPSxQrFssnzF3rmwe3CYB
            MJywK51yLAkVdiOGMqGuMapwLnExCbKOKqIwXC0FsSIs75qLMYA0NS/AM8SxbbSBr9u0g7RgKT6sxrB3sTAyHrSRMoq0k7JhK+SyVirJKFs1mS
            rorByjhqfarliv+KgttSswPrTRtWuwkbUFLxgyD7XusDSo06s9qAqWarFXLb20tSxqscCzuqwCr7EqLaTbKnExsCtlsNAr0DIXrBCsUTLkpc4q
            gjHvoQIxpSgtsCK0QbWFtDgtPq39sWatwzDnsNUsg7SksyGwa68TrGsoTzWlKBOxFjDSKXqs/qxDrHSyljC8sSS0Ha3asSgqwC+asoguL7HcKf
            unAK+Nrvui3bQYLcmwf7RZJbesNKxBnHgz/DLKMLKrci5/KmakX6SVMR2noqwWNGu30TC5LEytXSIzqaElz6YnIJAt9CjwqbOwKS8TJGmq3DDC
            qv6uZ6jJrccYj65aMuulcaqosKIxraoyqlSoZLBMMletUC3rMB4vDrIFpPcj+ay8IbGpqjDcKkysP6b5rAsxiKp6JqqwlqqaMrgoCKzOqYUpSy
            uHsi8v3LKpoi0vh6yFKBgyACJXrTgwpDOMpce12a2Zs0Gj6S3WLRmrn57mLkoufS2vMFirKKLVKBOwnBk6KJUocLQHL2y0cDAsMFMZCzFyMEYk
            NrBQM/A0gy3FtiSunLOMryAxBy16sXkpNTFDKfEmHTDTFBUlnymmp4utOC0QpMGzKimPJfYgPih0KYko95amqo6tVTA3LYak1rScrAqyQrKxLD
            +cMKzkrdQ0g6xIrUYpwS8vLvQq3CsWJgQw4DBmqymnj6wnNB+oqDCnK9Sw4rBmMYQyUSyssXOtPq1us7IstKzsLd+qT7EoLHy2jZ1MLLiwvB/a
            sj8x0S5Zs8u0QSszL+OlK7OtMxe7ry3/pb2kGDAyLLsx1rLrL7Shii3MtNS1ZTChKHywWDLnrxm2HjFLrYKhHK6wJcAs7DN+MU034hYJtbgyYi
            r4L2Iq9zRzLcUxqbFjqAewWqRHKKWZKbNSrUWweKQTp080kyyNsD+13KJYLWGxozHPKrMnvibkK1cw0LLSK/svrTHJLDuplqtbsQuwTDBzH3Sr
            4ibkLwinrKiRLUun7DLRLGgyyCUfsc8txKvFrQMwSqqIKPuuobPWLv00ES0hsH0wVLQusyusOi9ttL+yiS+bpKWslabWLb4dx7DPscQwdB9MMH
            g1HCKTLD0x9SQFOP+tIza8LxQ47jNAJIc3uTVMr8syRDULNWE2ADr0OKS4pzSMN34077jTNWG02TUyNeE39DU8t6KyUbiauLS4
            """)
}
