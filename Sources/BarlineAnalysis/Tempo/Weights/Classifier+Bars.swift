// Made by Benchmarks/Tempo/train.py; not to be edited.

extension Classifier {
    /// Scores a metre and its phase.
    static let bars = Classifier(
        base64: """
            oFIATABAuZ3kta2lOyWvqnUvqrRIniC1HaWeJEyq6C5NtL+dubTbpGQkIKl3Lhe0RKDds6Gl5CQTqUovHLQHnFazx6SBJAOpzy/ltMujtbmXJO
            imBazoFyitviwcL74w7TEcMyY0HDPCOjszgCwKHntAVT2KQSs/Z0AKQf88SUFqPnlCRECQQGJBUD2wQdM+3kKWQKtAdkGIPR9CiT9aQ/ZAlECP
            QWw9tUIaQNJDQUF4QF9BPD2bPuc6MUCzPdhC9EKSP5xDWEKdQSNBzUCOQM1AgkHFQMpDckoRtVgoFSz/tbe0GbIgMJc0gSjZqWQxIabNLlwmzj
            Oerxi0fq1qsBO1ybWnLBSuLDBYLXmh5rP7rEgjTDBJpAWyhLFlsIYzGLTurIKnTSGXLZQv4Kg4rEWtxzAGsZY04qrRrr00ey6urT6cRDLsq9Eu
            bqZUMBsytyeKEb+f8awZs+iw1xobMGYmpbMKqewvTbSRqGch9TGRLJSr9axurGwqJiGwsDEpKq25Jpi1Dyv5qDgxejDJIqAYCK+PC4ap7KF7tN
            koqrABtSmwXagzLrQ1Cam6IHUuHyP0rU4l/S25JR0vsy7aprAc7i/gs8Qpiahdq50tX6oCt26w5Ce6tdctGyhDMWyupjLrMZy0ASkKMX6sei0z
            qCayGi+0rEay6quelqmo6S8fLd0u+C0Or8utzK3Ooj+sJK7xs12xhjbqr6SsQCKiM/WzaCX+srKy3jCIJIYuz6tZGOEfQCfTtIqyGzBqqV0r86
            z1qx+sETEtqGsk6KiZMoYrbi0PrM6vOCPHNIOsxCoQMWc0H6i4JFMyKLDQLKItqRrFMaku26lpsjwmjrCALNIr7LKltAEvVCuUJ8GnG6hGtDKk
            C6n1sCOs46tOMYuwqq2asUau86A3r/skAZVZNHq2ky4sKXIwL7U5sJQwji6YrLqnqjMuKgOxl6JRtuu08rIsNEQxlK9csggwDS0yIUga6aoIL0
            0toibFrngpMayDKrCwmR4yMWywwDA4M1OqLioxJ521PCjRJUwcqbIDpAGsJDEALBym6Swdnf+pZ7PrMTQsmDEcMfgo/iu8qDIotqmfND0uyShV
            sPymzCy1MRgDUy27tGsxNjQgL7GsvC4qqxCvFCb2KEEwCbI0MIszfal4sZcr2yrDrn4uAjIxJgKphrJDLaWdfLDnL0IqKjDSM7Oo+qHuM16oGK
            +ctEmlHCkLLGexOKx9rmQuMC94Kt4sN5UVqNUcFh9AJjIzWiyOqCy0nCoHtna0bi+PLAGrAbKar20seyU2NHQoWaxQsOEqAas1sQQu1bLSL5wy
            CDKcrRAu/rHhJM6kWrJJtLosV7BDpzIs2bW5qXQtiSzwo6QsVSspsYuoUTBDLnizYDMXLaQyD6xJETCm1zVSrps0IK5NL7G2oyoLMuCsmqz1Lj
            +06a8msOMvyK4CsMyeLquLsLisDC3+rZQtoBSctHsyoa7YMbaoejKQqA6tizITGlsvIqvfsEimiiN/LmmxvBzwtWEsX68qsMyu4zKer8SssqzL
            r5IvVLCHqoYsf7FdLryx7a99sakxYLCWqBWlsypnJdcuqqtKsSWtDa5UKyUyXLCwsUYM6DWktoQvk6zCMBKwkSeJs/SvGzIHLD6onrANtEytKq
            phsYaniK6mKGoiIC97MUokaKQVJEioSbELKoOvLi5WkIwv4aweF76xWxqnpAMyZLH/qSAsQq3rsFQmzLVbJj2jZy9OrCqh9KtzoK+mSaharxMr
            WSXSHO+wSi97s+ysvSlFMAIpyrdxsacwEbDnsXix+SxDM2QxMa+Xrl0w6h33saIqPLaStj6ymjSTs9CvJTQdNIovSim7tCUiKytKIFowpy4Hs3
            uyo6YHK3Au3C3VsNUmR69WsCIp4CrOnrWriy3AqS2207XqrcYwaKw3s8snyC2FtUCp26cLLY0xeigAIOeVRipgrTqwlDEtLMWsqTLXLgcz9SJy
            MYKrRyvSKiQuBy78pnIuAq7iJ7ywtDJKLdQy/yxxM6kxETTDrMCd5yxXrTozlbGqsGwqWrScrVegcqQdMFA05zIqK2GnVDF+IU2tfCUzNuWqub
            YGtp4y9bV+sfmxgK9crBew+bS9sM+yhqtrMsCtFrHPqqQw5axStI8m1zMpLLou4Si1N2kor596JOw1UKO6sk038jHYpecob55fNZYxGqmBNCaw
            cK6EMzIoWrKwqm2oZ7YoNY0x/zIuLEWxB7WKtIy1FbEQrWCz6KQ7tWwwTDIrtM8ZP5DQsHu1AbS0KHg30qQ1NASx8JluKokzaivNMsi0pC5vrK
            YqvitotXK0uTFJsBWuaLO1rGuuAC27Nl+y0DMisFM0B7gxMeEyVjX8LZ42PbVgMgczVjH9LCS56rVKsz+0BLUWqjmuJ6wZsXy00bEOspSuKSwe
            Kwe1+bgFsUs1CLIVtK6qgDcCN5k1jLU4LoGyGDbfNYE046KNtkS28C1Itaux7baWNcU0ODYQttM0a6+VOu4yWTetsiavn7XOthSuva6BtQYmGr
            O3sP60lzCcLVewViN1NuwvOjXrMkQzCzR+KZ80gTCGNWE0aDQWNBg0NjNPL9GdAjQbuGW2ADYltvG4TLiGOCU1ADkVt7k3sLbVM+A54TZKttgw
            ATIsNU8ypimLs+eu0zGvM/wwpTR4LWosGjV4NPyyjS8pNbinFzBcMqqhna+FMpQp7Sm0LLyn/amrMoOoqbLEL0ixJi4Uqig0pDTJMLgtsC4CMK
            EuoDRiJ9EwlSrhGeIt1SinLfowWCt7rDCsPLRiMKcuISxVLOkqcyphqQOt7jMcrE8z46zer1opaK5ZtFAN4DMZMtuqWC/VMDOt/K1rLim1PqTe
            qT6oT61Rr2gzcqueMGIxlSyeNce1ti0Dr441lzVBsUcl+DLLKcAwWqPvLEIxvS2aM9ey5jGzqT8sIKf0rhAYGrISskK06S53qA0wGaicLHqqBi
            4LLlgs67ALqsWt+aitsSopxawJMH+wWBxHoeKvtjFqLvgzxym3shir0yi0JgAgoKKCtT0tkrVwJRqvpaowoK4sjrCDsgG0QbSpr8wxxLGvJJGs
            9p8frRgZNyy0MdCl1iyOrZAo86cLNM0pGTUPsw4ojyWErdmxz6s4sYktZjXEL8yx16tgroEz7bVPqggrnyi2p36vW7Dhswm1ii9irBwuci4/MM
            awHzNMMwSkV6YVLSS0vDSKtIOwx6loKV0tWixzKn0z6bT5Lw6swSx9L6SFYLTgMcwgFqy6NM41mKy9Ldc2rjH4rBElea62puGp4S2DrUgpUK88
            pMqw16hrMJotPzAmKPKra62spOcphLISL1StiSs8sCSkZq6Qr+wtu6ZgsE2w67RBLHox1i9GsHaryDK4pXWmDTDjNesxWCynLD0w5aqjsZAu9q
            X1KmilYjQbr1KsEbEILtIvQKklr4aurLAGLjaodSuPtAEwLzK5KZys27QVquks4LIjLuMxJqm1tAwufKN0LjmogyxZpg8orh7iMG+jdyIzLqUz
            SjO4MhAuuSwZMFyvnqyapPEqK65isxaqJi4AK1wtYyivoFAu9KxeL/EvZSgqtaStHLABrygswqllslItoTH6qIisaCThLDIsm6fDMJQyMDE0Lc
            SyHK+TLpGtTSsBrcWupTERLRIlNzCdJgMtVbYZqmufQ6yZITwto6nrsLY18ql+r1Iu+SJerbMu7ytjrwQvBy+TqL8t1qrfNFewRzJgKnQkly1A
            JjYznTArHt+1Ly7xLg4xzS/HL5cz37A1sZGufLA1NOO0+DBFLZc1JjHNLQcw8TGvqZOul6TTMn20wzDTIW4sejPuL+cwuq+2MKqoDDEJMNm3H6
            74nNcxZy0ILTqu8DJEM/kp+7AosyYxwzSwKUstSCXvqUUwybD3ruKo8yd0MD4xybFltOCeSK08sdqw3qnbtK6ug7NKIC0o6zTCsWas9DAQFwqw
            LDSZqn2wILEjKiIoY7O/sCgtwC+HrnktITDAslOqVyZlJIix8CIbKQkxpbJvNAK19C57MZUwEpxWqygtCa6ItFg3c7DqM7uxFC23M140aCIEsy
            irqbSKszotMrMJrXGicjUJNGIrkjKGquyqxzEdtEeYb7NSLAs0KaZeMfyqOK83rco2AzYvMNAqYyDbru41wTJPLVkwxZx9KGcYkSYatTktGij/
            MAw0UCtYrGyzzTYJNOsywC2KNZeyIjXbKXy1XzU4LDiwZaBuqU8yu7REsMQzEiADMYMbojcPtE4li7crrwE2CK1KMBUsWLQ3rCsv1qKJMMEvrK
            h7sIQzfyeFLw44KTDHLEqi4KjkJUCtvq3ZrW0z6iOZJf+xUqJIMKcxzDLMq3klUC/nNf+vJzJkMmqoCzGvMm+qrik9th2szipWMOcsZzL4Kgw4
            DTPlLEctb5khMlwzEKKFL2w3AqrSMXau7K9kIwa3K7RyNtkqXbIVLD61uyCttfkzVCq1rwa0n7O4L76sIK3mMMapo7E1MX4xkTKpKByvebTxp8
            8t5zSCLzeoiy0BOGs09bINKxE0EiTtLggtrjKHsVKxWTSWq5OwYjVWrt+0L7ADMjUt6qQ0Lzq0k7MFtT22CDHFtBGwGrSOqlCvc7DItOcz1bTJ
            s64z+LFRsRYcZCadqNerPjSktU+z5LPZtJu0ErSOINiy6S3xp4ezOrLrNKgv8rCWsJUh+rZpNM8vRTPILzWvtiiFtAkmKS/6N/yuUbdKLl2ub7
            DENwEoGrMssDusMDB5t9gvvbCTshCzxjATNliye67OMnsztzAxN9s55LGDs54nKK/EM5Q4JDV+L8Q0lDbjrZgtWbmFMak3mThhs4m1vS01rrsu
            9TQeNpO23LcNNUO0vzLYm6it5bC0s+sw1rjArmywP7OPMVI0oq6Apl4xIi8QLbE1izG9NAg4OTRLNouwSDKzq840zjXZMDY05jKRNYw3JbjjNu
            w1RzYVuCm1vjbNt4c0ozWuNa655LRzNgG4
            """)
}
