// Made by Benchmarks/Tempo/train.py; not to be edited.

extension Classifier {
    /// Scores a metre and its phase.
    static let bars = Classifier(
        base64: """
            oFIATABAZJY/tUCiNiKJpsEwFrVpnJG0yKIuIi6ltzC+tCKaH7QMorghqptEMFe0mp+dsgWkziISGMYwArR9mHGyA6LgIVGRDTHotOyl2bhHIj
            qmkql/JlywviwcL74w7TEcMyY0HDP9OE0xnCprHOhAvz3gQVw/c0D+QD09mkGyPrVCS0CjQElBjj0GQi0/PkOpQNFAZ0HmPalCJUD/Qz9BvUDQ
            QfI9IkNKQCdEW0GiQHVBrT1vP5c7hUAPPg9DzkLCP5tDWEKdQSNBzUCOQM1AH0BdQYBEg0vIsiiskyyts4qy/67cL4k1uygcq3oxMigHKY2hOj
            D8qQO2vLCdr7+zKbUVMJqqPzN+MJ+sx7LPK8YgoDBfrEWxQKw9slAzFLS+rcYgmCZhKREv2K2krLKsuzIcsMA1GK0pssIzvi9lsNebHDGnpwgy
            QKJtMLgyMyjIobirzbB4sVCvxKjTMMcs5LJ2HlovNrUopTIonTLdLjiqQKXKrBcuCKUisYMvp7AkmLS0/S7HrCUzTS6MKzKoTadfMmAo6qEqse
            qdSrC7tJmsBKmHLyk2v6MUn38vBhEnpgcr2C9PoEMvFCT8rFWw4yqltLgpxKl/rBEjN60LteywIqp8tmoub6dxMbywWTAPLxq0Bi1+MSCrAC2/
            qrqsdzF+rhuzmqzToSqxHjBqKKYoLy5DrzSwmq4frb2sB6g2sbmxBDaxsIOqbCURMmi0KiPYtHSzKzFanM4uBK7GG6us8KHZtSexBTPKrLgvW6
            yJrRiwBTIop9sseKgINBImsDAJnnquBysVNKquVSvOHKkwXqw/EQkuvLDWI5QsyqlrM2MyKKxNtFow2bJTLk0ha7NrtVUw7y13LNGov6OMtGOj
            5aZrsfSqaC2zLPKv3rFPs4mzryXHrrUqxK2UNI+1cy7AJBWjtbNEqu0tCiyKrpitwC49KDWyxqTqtn+1hrA7MuQudbLfsb8vkar7HrWtVq7EMI
            wsdiRBsGiiu6ydMs2w+akEMKax1jMPM02kqCyHJRS4CC16KRApVrMIGTSy3S6yLoaqIy8coBmofLFQMhIuvDMDMuwhNi/oq/EqliwsNHgw/Smq
            rOGlEy02MWirzSros0YwRTAjK3mrcStSqsCxyytLqastiqsEIxQ1BKwVr/EqSTALqbUxojIVLcGrJa+lMASsO7FMM7wfUzCjMoOlKq2xM8moEK
            7qs7CfiS/6mNyxBa9ApaAsziyPHlqkIKyDrkqsKqtuJFowYivAKg+1RSMGtryxgTDNIjaob7Ierr8qACp1NIglI63gsLswYhwpspstTLA7Mcgy
            IDH8regt0bHfIKUjnbBXtP8veLNwraQuvLQ/sNgxsi2pJXgxLi8jshGlmzCBL/izxTMWLC0y7aTCH66twTY/rgo09KlVMIq2KikqMSSvcy2qLA
            S1orBZqPwu9KzLqhKqxx7TsUykvCrqomYxaSt5shI0grHSMl4nHjKnrU2o+TC4ozErvq2XtACohiMMMI+xRh+ztFAoBLGusnmtZjIlsG+vt7Ay
            sTEp1bCbqrMtmLBsLUesMrIhs28wuK3vKHmtDyu6pXcwl61UsbWvXbCuJQExUq46saOpOTZWtnEwmaoaLxaxTCL3tO2wODKCLBap4LBxtY+wLK
            ssshqriKVTLMsiaDGHMykrdKoeqseqd6/0JB+uiy0comIqPx5oKHSyEh3mresuRbDUqtajya4bsZUiabWwpYIsCyuAq2gsVLDNJFauLxDOsDQt
            nShsKOOuIDDJs16c/ixhK5MlM7XBrdkxEq/HstuyojBANAwz7rBJrWIszKQ/ssUworU+to2wCDUesw+wyTIfNcUwUi7NtRErEii1JnYxdDQxsn
            GxWqasLk0q3aBJsiwrsa7Rr2eryCzmKbmpqCnFrRa2RLRIJiMxjqXZsXOYwi4qtdoXqyB7L/swmSQ1LEQw/C+HrlSv0zGrMXKqTzBGLwgxbilx
            MlisEiD2qrEyMzBHrhohp6XFJoOySDADKpgydpcuNMEtADQqsLaqWTB2nmgwZqpmsAIu/7DPmDIL9ig2MLE1djQQLp0ggDDvLViqaiwuNmmyxL
            YLtqw077SHsZixJ68ZrQKvcbXtrx+0DKiNMDSxARQOrZ01hLE8tqIpnzT9LQ6cjytaOMUrfiJwJOQ0wa6atWs37C+5pIArO5eXNbAxTKdyNJ2v
            NbGDMxYjFbI/sRMlorbtNMswITRxK5qwgrUHtNy0JrAFrCO0iiXYtfk0bzTAs24j5xmysCe2xrRmK3k3ZRQ/MtSvsiV5HGIz/i9lM/u0eStbsH
            UtlStKtd+0yjLSsAKvY7JSrWmvPDDUNDayWTJ+sRI0PLeAL6UwcTTyLcg1c7QRLRAwXCt/LQm4MbXpsrKzdLTjplGbzi2nsBy0TrKltEiy/6we
            HPu1OrfSrCA1f6xHs9whuzYUN+o0GLGwLD2zCS5INBouIyTRtlK14i7Qs7exCLWJNT81TzbHtf80wq0mOaYydzWDtKGsfbQBtLStEbRsteKtEL
            EmsoWyZS7HsQ+vN7ERMQEwbjRaMVwypjIZMTQ0Ri5WMuEyAzO8Mow0Dy4kL7atSTN9thC3ozUetUK47LcyOEs1rTgRtig3LLd3MJ85gjYLteMu
            WzCSNNQvKaissO6t7TAUMpMx3DMkJYEsRzNeNL6wzi/0NAWmjDClMn0tgrASMlCa0C9WLSKo1awTLu0cibFmMMSzki3lrBA0WTKgMgUqRy/LLO
            YuvDQSnGMwhybCHIss7yJDLLEwKCdIJW2uM7RCL/ov3ijZJ74sbh0ZqGOouzMiqJsziq4lrkUsZqSKstigHTKiMj6fCDBMMVuuwKlfLjW0Jiol
            LFkwQK8HptUzKaJDMxw04TFrNOKyFjDjrZE1PjXzsEYkMzTrLTYxFin5KnIydy9cNL6wnDFEo4csgawzsWelq7K8sle0SjD5p/8wIq54LBGruC
            5oM+csqK6iqaStJqplsMct1qsUMM6voibwJBCu8jK3Lz81YS7tsbGr8yUUJ7Cg46e1tSwsAba0J9avGqzwo30oMK4XtAK0lrQhsW4x2bE+Iyuu
            NR/YqlIUpCmjMQmm9y09qS8sghaKM5ykhTXcsu8vxSVHrJOu261lrecvLjefMHaw9axerU4ylLVypvksii5MrSitLrHvsJKzfDDnqlMq5DP6Lf
            uwsjLMMIQcjaKzMLyzDDSjs/6w/SoSLVUwYjDmLcozO7UNK0qx6CjhKk6qirRvMMkoea0oNEc19q9oMDg48i6ErAojH7EUn4WmjTBPsrusG6/i
            qHCv5p4JMWAw9DIZLN6wLK2CHCkr+7IYL4OoXSnosGymKayDsMotaKrEsEqxebS9KXcpZS/jsL+r3i/vqYIdBS6jNQsyritKLv4xrKv0svgtSq
            wpLYQlDzaosJipwK0dHuMyrxy3psiwYqwCLQYbyqCGtGEwBTEULRiq+rOErK8uHLGOLR4xILCYsGYoM6nxLu6wuS6YKLYxRR11LSMwKqwJNOQ0
            GjVZM9wqeS5zMHivN652p3Is6a4jscAoMzAxKtsoUCcrp/wvNyllMLAoSijBtI6vwK5mr/gq+ySesDIvxzHQpsGtGSwNM9YtCbFWMDgznDHCK2
            qzqKz2LACw8ymFrS6wgDG0KqUsAi+2LoEvhLiYqW0pJ6gDKe0w0CTLsX41lp2AriMujCTRpn2gbia1rzYujjBprEow7R8FNVKw5TOIJ0spKDIK
            MXsy8y4TqNu0vC9jMKkxhzGhM2Y0f6wFrvGujbGJNNiw9jFMLL81GS1hL7IwQDTNpDOtJiZQMnmuCjIQK2UvtDOXMEsr4bBeLL6qzjDdLvO3LK
            yuJzgyWys2LB2wNjRvNhUpFLPns7MwizQXKf0sxScHqHgwmrAHr5mqTCQbM9k0ybFatRQi0qyNsNOwTKhctQmw57PmoLcrBjVBsXytITHCoh+v
            uzPbrkKxerHzJ8Eni7Hkr+8ruSxHry8sTjB3sG6o1o1bqFyy9yA+JmowCbOvNbq0BS94MYEvIxj6qvMxWLFstOI2VLDFNEqxMzG6MpE0U4ynsU
            clNbRZs44qY61qrkqpCTWrMcAr+DHWrMCn0DLXsQ2oMrDLKwU0siw4Mo+t6LEyrCE1JTZfMc0lHauRsmM0MC9+LrMw+QhPK46ukyjGtJMv56uU
            MBk06SYNsr60QTW6MrEzEi6PNXiwczOULCm3YDVjNNSt9ZwIph4xg7JRrJY0dSiZMXclmDU3tKQmXrjard0yaKymMfAs1bQHsUkrOq9lMaAwz6
            T+qPAwJCzRLoQ3zTGlLSopgCjCIdGzZK3trnszFypRLYSymCciMLozHzKUKZwrgy8cN0Kq1jKqMy+qRTLqM7qkkCgJtOutGyDlL1UxdzLHpzE4
            hDIUoVUpIKRvMzgzFKn4K1E1A7AyMoqutbHWKDe2lrOANtEtU7LBK0OzQShetWY0UaV2rTuxibS5LU+uuK2DMY60lrSXMOwwaTF4IpGvHLCILN
            wtqhupMH2jwCzdN8g0ErMzqkM0oyRtMNUtkzJms8WzizTiqciuRjUerKuyXa1MNNQwbKhnMda0obI2tDe2FTIAs/ewIrWsrxSwx7FxtXkx57II
            tNQzUbNYsmAcbiLJKrGwpzRct2Sz6LTNtP+2f7QwLE6zmizSrve0HrMcNbouNbPErpsg+bQFNJMpsDHyMvWkhypQtKsixS2ENz+qe7R/KoSXt6
            21NAswu6wIpHOvs6qetjQt3rJasiayXDD/M0qulbFoM7Yz3i9lNGA4wbKNtV2nnLH/M9Y34jOYMfQyfzVar90uA7k2MUU25Tfyslq1gC/qq7gw
            hjTnNfm1cLgQNde0fy/OsGuvw7ZUtRstELirrnOzXLA6KHQw469HHfkqzzPKMEE2mTGdMAQ2lDJXNHmucC95MMgzujM0MVAzczHuM4034LaONx
            s1bTUnuEy1YjbTtgk1HTVnNYW5l7OvNi64
            """)
}
