// Made by Benchmarks/Tempo/train.py; not to be edited.

extension Classifier {
    /// Scores a phase of the beats.
    static let beatPhases = Classifier(
        base64: """
            gFEATABAADQANAA0ADQANAA0ADQANAA0ADQANAA0ADQANAA0ADQANAA0ADQANAA0ADQANAA0ADQANAA0ADR+NH40vzK/Mt4x3jE1MjUyADQANA
            A0ADQAAACA6aUrMXhEeER4RHhEx0THRMdEx0TeRN5E3kTeREdER0RHREdEH0IfQh9CH0LVQdVB1UHVQQVNBU0FTQVN60PrQ/1E/UQsRSxFmkSa
            RClRKVEpUSlRlEGAP/lAWUOSLC2szin6qugnRaknqZkzF7EXJdUwZxuoqAykeq8/IwO02ypftVKzdLWjsGaui6WlMQGx9Lapqpkr666Zq1sp+q
            8wrSEwqa2QJTwrcbAQrhKxqKlbshUiMDC9svkvyK0hrK00XywesPikKSzYHsQtximkLZYxQa1FLLOrVzD1rfSolbAdMXsxta/4q+cnBrN+seQo
            kjLxLrGtEKFascYuFrDvLK2qaa1hsFO0KCxNsME0YKwOsCEvtSEumZQt5zGRqjcjN69ksF8tgapEp/g0YrS6qzUs9aekrfAs9i1nqQmuByzspX
            +uKx1zr6QvGiR3LIGsLKc4tLquXykZsNowXrDipFKkuTHSL36uei5oNLOvLS1yLcGxIy1/Koqw+7Fqsc2rzytSrvqZXLAUpESwLy1GsKGxW5/Z
            rwS0oTQ/KcCt8SjbMISyvar9r26zUwzrsLqtdbExMT+jbqxXrRW0UjDPJxyog6iRr3Gvai5jrQYrVam8LUIthy5XsPypPzHLMEOwNS8RMHUwdj
            B7rzIztrTBMCEuJjBVMq4y/bJ4tewnU6ajrZYo7rTste0ut6sfMFqv1bJMsVMnlLMQsD4yKi65JXuoUKQInEOs/6HDsNavzChwNKSwSC7sLFmh
            qrTLrW4xUqzyDCqu6S3NJKG0pae1tGS39KyWMtmqyKjUrC00764+MIsuqzBsMyqcTzGqtPQy2SrXLKOzwzDyrvy0yi+ZNEOxUyT1rGe3jy5qsJ
            Ex7LRXsTYoxzKfrr8sGDVFsdmtjrXFLBunZafULeqwQrDCsXaxjy4ENYuuQixSsvKx1zSbphGqD7FUs1oqECAOL6KwLLDOJeyxsrDHneIzvic2
            q9Y0MCuuK98wT6ysIieuUTZWLpusXrJTMl+0bLTkKzEf9iOWLtKujK02NTKx+C7otcawGzTWMZ+0naRwLLCsw6KgrVqswrEUscYlPrEJrJotoq
            wALoWvrq+0sc+0uSNBMtSut7MqsZ+xnTAaMs4xT7K/s2GhcpUhtOku0ZkgNCwvIjMmISwxSC50rv8ow7EerM8xL7CmoDwzW7S3rVapIyzzrKgw
            HCL8sfOsoTE4MJOy0jE/JmExmKWYquesCzG+qrItwLI/r3O1qit8pbGzzqRWrWcmGawLs+ak6LHVGc0nFrERsS2pkyrCsr+saKsUsmstIRfANE
            +wozKiqoGoVDT4KCMwEqEyqTyoXig8Mgeraygxt9ouU6yzriQiTzCPsKOup7ExseEpLbEmrxAtTq0CKBMjqrAzsyo0IJhrLOAzaCo3JCsxbqqv
            sVOvuaTwMBYvTbYzqwEhtjQPtaQqA6r5LQm1d7ADtHKucy8wLP+pvbAjrZolWa7AqwIlZLASNFiohTBOMFenk676HOeeNqlSpay1/zCslsouOK
            SErYYpb6l6tOqozazOscylRa/HpcqpcLOAKYSq9aYxHhGpLy91JfArkizeq8svUS9rLcMsTzFgt9qmvzCHKn4xi7IgsAmof6/5r5q1zaIUJkwr
            Rap8tU8yVSGZuHQs3bH2rUWvfzIXE+YsQTRiLzwoQ7CErYKqhacGJkgrlC6LsniwvzEZpRAtHqzYrN8wRq/oqtMeS69FLZGxma9NqG4qC7WDsK
            Uv+CiKqseqsTEcttCwNypELrYzkywNKvKi56Req0It/ikjMXOtWKi2KIAtzy5cLAiygSxpLrMk8TM+sUOqeRcAq+iwWTAjLeoqBqpgLsQS8TDk
            rmSw/SfqsKosiCoEs6Ap4KJGMDusKq95MhsykDR6KHwptTCUnFGx36pbJ4ez8KzvtLotXSy5I30dmyzDreOesrARnD2sPy3Vpr6ljKnfrNoxDr
            BvsyKw8DRqK2UshS1OL+IoQiUiNjAq3i80NI8xNSlOMisxzi1wMTE1IjNCMYItMy/LMTcy9zMaMa+2Qzj5Nis05zQXuAY0MrQwMxQ1rrO3tpo0
            abV3sz+xuCqesuMziqYbMzgz1C0LsBStK6YCsfiq+7Qkp8e0mS+LrtSwkrGepqKzirJ5sVQuPDNQnQgybidcNHktXC1UpHaohqyVqjyt+ax6Nf
            GoUK6+KHMpB61mJjmfj6RiIwozWqiLJlOmcjLtsaivXK3/L7ssSTADsbkc7SjTqPwthrIpsm0hk7Dvr1cuoigcNEAn47DHqU6y9LAJnVyx67V0
            MSavFaz2sGcw3bDAMDquCq0EKL61Ii1DK4Yv7a2ZNLMs47C8sEMpHpDyqCUm1qUKMY2vUDATMMk0SrRtrLesGS67rjipIBq2sBivG675tOSwV6
            tVqUwpJrV5nN4wwC/4rkkVQDGfJ+SyqKHsMCow7zMap48zmLFFrCE0z5z5sREsuaRZKRizB7E8smgjjLCbJSckPqyqrIow7DXSMaQvHTBpMduw
            xqypMBIrgydEovyu76X/qeKqxCy5pRet/B3JKzqt0B3vsCkvPzSvM1mu7ymJJcit3zNctOox6yo/ND+skCM1L3kxbaxWMCmt5bEbMu0vqC7rrI
            ks9q//sW2wdTNOs0EqKbMCrJAhxqUNtemw9y5FFysnhDCSMvUbsi+MJRiv+62Ik1sqFKwxGBcwPKdPLZExji5wNX+z/C23qb4zCTQvtA6xZyyb
            KzstI64PKostv67PMly1ITACrucxRbC7JbQx+yqdst+r8quRMsA0MyMENWGtXbBNpackbLEoJp+oLLD2tGAy2bIgLaG0Pa79KSG0UjXzLl819z
            IlnTcsBKSWrWOuKij3tCQttLWjsbuv4rK4KeQwPrX5spSwBrL8rowtwrSTMA+1IyxdsuyvNirLKywu4Kuzoi0xwSwOH5IvfjUXrpevijPmrXkn
            CzCosC8yOjN4JxW0XbNlsQIy6q8cs3ithTExs/ivSLbMs0C0i660n88vqTUINGur1jE+LfywAbKkKy+0MDSktfO0jKtnrZwtPjCDsewwS7VpLA
            etk60VsPKrubLNLwywqLLeM9AvKLDGqC834DJFMKuwIi1KLycvD620L2+wlSS6MSCt8jGDJsiu4CETDNurECMprCIscq5sMiCsEq9fqtatK6D6
            rBMwKLKVsWKp1LDiLfAjQqx8tUQrCy3SMN+wVK9aNAmt3i+dMugmw672skwtJ62wpQ6vDDcIsDQnQq93q68xHbP9pnqx4LCKMWkv1KgwqSIrti
            x+s7EoobXjrckv1rNKIvqXEK+FqrIwKzArqAO1oKprsZaylyVvLwsrs6/qLVgtLzCnMnattap9K6+wmCdCqSEQebbInIWyizFiLkUaWy6DslSs
            W6bGMyU10KbItNqtWLR9tD4wbKK8shqmPzAErzOrDCtoJ3ct3yzeMkYsATBKKeq0NKoQpeWsDyFWqfGsRDCQpcinDjMVNAQti7U1qnuwurKHH3
            8qnKyos+czNa+asmEWayZRrbkucSxCqJAqNzJhrxYrMbC4NeanrjDiLUCuOrB6MFw0izEXrsmuV6nosIExQa+3MZEiqbJ0su+2M67NNFCuUzKP
            KIIw+DKiK9orTbE8LgawRC2/NKixDzBysvGpsyTfrBQrWLNNMIex0iZuLdm2HaVfqtEvAysaphixUzGENbsnLJ/rrsoiGzTkpcQ1KKjsqW8s5L
            WjrIuuazF9MEopDKxEsbUtqB/jrpGwX6pzsHayxrFVKTMsgjNKr2+wcTBUJuqk2DF6KDapbaq7JjowCrRGohMx/y44Jlwgb6NEsoyt+SBPsWOy
            dCqvMZwtsLKYNF6scjMrMtoyWav4sgkqrrFvtxgwIyvvLJaxbSrtMlkz3KhjsDKlWrJ5sgIl3KlUsVWzzzYqLZIsrS93rFGwFicssBYstbH0oK
            szQKw1nWavDaoWNImrSTDRMWc01TGGKS00FDIXqw4yMitNMOAxcTSDM5+3PDTHOD40p7UzNAewRjWbM3GfODV0sQyySLg1tQK4
            """)
}
