// Made by Benchmarks/Tempo/train.py; not to be edited.

extension Classifier {
    /// Scores a metre and its phase.
    static let bars = Classifier(
        base64: """
            MFQATABAmJzjte6klCRKq5owK7V+m920PKToIxSqdTCztJOZd7QXpNgjAKlqL2+zR5w3szmkzCNiqAowvbMxl9attaOHI1il+Smor6KcrLVrpS
            Ul4KrFMma2Xpi5suyjtCOpqFUwm7QxoQW5CyTGpQGsJYHMrL4sHC++MO0xHDMmNBwzQzo4MvcrpBuGQGw9f0EJP0ZA0EDwPJpB0D66QmRAkkBV
            QVE9B0JHPy9DxEDPQJ1Bsz3FQiNA6ENQQaRApEGoPddFs0LMRW1EI0EYQo4+q0CoPYxBJD/ZP9FAnTxfQ4lAMUSfQadAfUGHPVo/ujuvQEo+BU
            MdQ+k/nUNYQp5BI0HMQI5AzEDXQApBH0QJTAImSB/SrlawUivmswkm6CYWonqs4yN2Laom6Sh1JyKqf5qaoNmxDa/ZrFAgKqR4n4ssUa34r20u
            HCy5JjKkhawHqe2kqy5dLSkF5SDwoOKkd7MALl8qESzVLrClJi3qHC+sdSk3ryKy6S7nl2KoK6etMdKshakbq12gRyTyGuyuSaUGrXOrbKUEKl
            OwPizmsDKqaq1FHUau0iP3pAAeCa2qKASw9S6kq20rV7PsKdiutq/8Ho+wxKRVKxAsxitcrXWrlSXusAqrGhghsvgozCjTrT0PjSNYqE8kIKuM
            LLKsIajWoPatAbA8J1Kxly2PIa6xIygjLUCnt6akK9Cq8KUKrXEh3xqqLlwloyyuLW8vi6S4JsUrRSWrLaMltyg7pveol6ryqJCpWCmNKAOrpK
            PcrEItbqQ2qsatNCRpLUaowapNp8EqXapcHcqtgayYKcOtWyQ8ousuLxSMJLufNK/NML8lOaz2raUl1Km6LlopLyDTqXAvbCckL5ub2iHpp34t
            RhOcLi+sZC3xKPucoiqcsGKln6hkofQwFiwCqDWtdzB2jHit76rOqfizxy1FKASkpKQoJnSsTS1trM4cpqfunM2gVLG/rgunNbN8no0kmCMmKm
            Y016l2KjMaAChUsiGn8aLXrb+eli64L6+o8qlSMOixBLKHp9YqdyrfrPCxkSfTpxmwd6kiLdipAKEbIkIjBS5CLH2mCrDDLHesSbDgLL4ni6Dj
            LAQsFrBBoGcqnSGeqp2kvxiAKokdmR+ILPIlVCbYsEyoQCU2LqQuKynQJ3MfkC2WGjsxTyicLFqqzStuMZ0v0Cn0q8ShVi1RKhGwoygwpCstbC
            bNpnYqui12JTYtqx0nrqut1qbtKwKkWCX4L/kvxSn8H1yp3xj+rQgqTavMo0gsWyqJqHotIihKKx2xLyaNJQMn7awNrLytVS0PLG8kICbLBMIw
            RSrxKN4sayRGHYUmn6krm6WrrLFKK5El06krqlyt7SVtJwswbCwMnQssrqhao3Wq8qf0sGAoQSkRLUmvRSoiq9upgScBrG+wRaYrqnOl3Snrrm
            WcQSm1JrGrgSYBFFOmCqF9k6gwmbGpKEkjBS8gqYMkGK9/MdWtfzOEJLGbnKVSFD2UF6fNrHetM6zyJimrpSkVo7YbkSscsaWpuq2xKbynpyeW
            IPwiTDCVpnAwnaw7LQyo8an4qASrjTKfqN+wx5kVqQ2wJKn5Lf2t1CoxGyuukKI6LqOxnBnANLuwsC7aqNSci6zlLK8z2KMvqq2fbC8qHuEeIS
            WMJIUrVjBGL1ev8qv+rr0pZjAkrt6uLiyQKRix5ClIsmQryirJrGmxA6i/K0SwTDHWorWsTyLwLQ0qSSiqrFok0CZ0Lx8wkC2cqfatba2aIXOh
            1KzoHSIpKJfRIOqkcKzPoi8sNigzILupeijwsGkx9qGRrp4n8i9lIjsdLqz1rU+nEqkJIuawDJinq0SqTKmroIGz7aYorNyoGanoIjMoSiLarW
            8tMrF8LPOsFi9Jsyez/DDWKZew1iygr2qoO6YDLH+sNSaWMBMwca48MHe10LJdL9ArTa7TLQ6tzyjTLQMtwzLnK5qxsCvrq/e0eypvMGMvrKsb
            LMcgbahZrdugvx8jtXSkPS8kLYe0EzMKuCy2yDDlLzGwdSsjK2QtmC1AJOeorKrJmHMuIp+HKNOmdazYpCIv2ahrMXuv1S4kLIMkXbKSMDsqCT
            F+rZ+sMK+TrmocEDBRLAEuy6wzMwgxr6mPqpKs5a1JL6eg8yzHKfkZQDG2NNSuCDCxrdIdj61ls1+wxy70sD+oGC1XKQ8WdS8Yqx6pCih5LVew
            rKlSrIqtTC00GDssqahQMw0xaZSpLm4wIaTeLLMsNK4HLzYmNqUIJrepUaqyrM0aRqzsKkAtKCVDqZ8S3qBJr/+u+65MsdUqRjAALQwtlCkNqi
            +rQK+ErBWrsaP6lxSuyitGKTqqXSNTGLIkeaqHFMswdSviLAMkLhStKgYqGa3Gnm2o0i4DI4qmx5hqMLWdgbAjKYeg4K4ZI0ksQylwHxUxnyap
            rNQp+ybRr3Am8yaFoxox5DMHrfQun5e/KPKcDajgsO2wybQ7pQK0ryhWpNUsArIWoFSf6qhdsImbL7EJMEIoZq/XsXQufKakMHSrWC70sOGwSy
            8/LUyt7SR/nsqska2cr8AxuDBDsdes4a8nrjevfascrNwqrK2bruOubSywsGqtKLNmptevMRP4rYwrECWCKNUpbqzIqS4sPy2/LM+lqJ0ZsBWU
            XyFfMM2lZyOmqIujaaihLFItFi+IqW0yoSzPLasrRbDzLyIxnLBEJ7kq1qvhLjk0UCmOM6grNiy5MCmvErFMKUGufCMUsH0rU60VsHOt4irHsD
            ahLqBlrhq3KzL/sKouhjRbJDKsGiturRExr6mTstmjWa/tpbctGC5rNF0xOK9NL5crUramposuCCW8LjEwpLBQK9w0xjQ3MbumgCCqsJWtTDG9
            rCOx7ypKLjAxBjRZpMkxYqtesc6v2qeYLZwyF6CmsD0yUCYoMOow4K5urU0pFbDdr+KtualVsC+zRDWSKDCw5jAIM9CqcLHksVO1HjQVtIMyOr
            RustgksiUCHQOwSrKxMY0yEqCyLpCyi7S3MZGxzqizMjYyx7HCnxw3lCmEMzMtz66tKWa1FjYWNCw5sDRdrhKySqwKKxuvSbXOs0Cw+LKDKNmt
            6ypRoKWy8bVusZiwIjUvNaUwGrhNuLux4TQatR6hDLa/MU44Ejdlukw3Yq9eN8s1FCu3tQW1qS8nNPaxg64Wt0iyVTmQNxq38DWmtPAoZKqTru
            GxpiiQsXG0obOfrJO2g6hKrXSl7KaTKlCuOzd0M0YrIzeMNBE3GDaBNac1NDj+NBo4LTjQNjA2HTf4N703K7SvuIy2TrlQN/q4NLj0tRu1fDb9
            NDu4TjfzuA8g6isiK4cqPKuAsuwnWCcWIFgwbTDer2oq4zBdq5+eJywDotWUpzCmpUGqhq4OIIydnySdLPssSqg1LbCsEq7gKBatZ6kcslErXy
            rEqMcdIi8iKGil3zBvFHOzC7AdpTqsFzHdMGIs/Q9cqWOsn6y9plsvkCJRrFKSdS4vptex0iZgpYsnyBgaKxaysq1HnEkrkSgHrGqy/KeDrAaw
            d6yLKCCzJCVbElmtH7TYsFsomihHrHMtCbFkrIWyI6n3rSkkd6KIKQWxoQ9gsTgfDCwzJ+MsoiwWqUMxC6jGsG0rMay6Knutra/drEWzci9YKg
            kypqX6pBivH6cXsBSeGSwLJgKucqn2GJuiry90KvusfS6aLHScCSkirjIhkCyFIPYrfijQKsmnNq/5oxYiUqdSLD2qo6y6K1IrIKYJLLIj+6Q1
            q0GkDacRpBeouDBPrYGcnC3drE2byaz6qLKsYxi5JH6VaagtJoaugaz/JRwytynbLD0gT6WoIuUp06FSq3AoG7GqKb2iLh3dqKcrZzCrKWCr8a
            CErcyc366HKBIhajK/MIAg7KxKpFOwuprlLsowKZjrMMavFyvqJlqwM6EXqusxe7AUrNoaM7SFMLAqOS/rIVYqEbL5HhUsNq2VsICsNDFyMYIx
            SCmBKYWbgi2gr4KpSCZYoJKp9jDKsci1UazPLtsbkaqdokatOCxUsf0rg6p8K8utC6tRLAOsk6s9L86dya8DpUkaryjeqryrKaG6JG+pWC0UoA
            KspKUssGAhkqxvrBIqVSgYqGgwVKUvKhkt3CwMLU6scS1bpGSwBTSmsMCkcq0JJoUtrS3JLD6oMya/quqs3alwrykqeaI6Mlcz8qyyqEOmR6/Z
            MK8kDyXipagtnyZ+JlsqGqqQpiyrZDBRLHIiECgTpTCmGymHFAeROSjLr/4k3KysrOuyeSUBrVoraC6aqUcp27H+KRIwFyhYn8oxsqyJMWemcr
            UuMB4wKqmyp/QoOCFtqA+rbqLKolwrSqQVKTkk0Kw5sbyspSwQrkUsMCaoqxakDqu/nXMoBCc1qRyn+RwTLaekKDKjKg8haCv/qwWsGaYzHIOr
            nizknNGq16a0MLqgIx43LDWpQx1ZLQcxOCQnGhEsDKwmKgIriaYenmOs+CberucqpTEOH2ywlDA1LWEvMSpoKFIuAi4fr30rzTFQshcoep1xJ4
            8qvbPwI3YuH6qPrCExZK3JJhAm0S5hs64l7TARsD+oqKyor5ksCjIir2QukTC1LQ4mLjHIpy2qNDA0LV2k2KhEKkEvgCOFGoexkSTGMGSqIq2k
            KtOuv6vTLkUndR+MKa2uhqqtLyYtmy0MIiUoQK0dqFotVK8HrjuoOy3srg+wb62UpwCuoCgVr3KrPy3iq36ruCtLpwGshqaHla6wLbIsp5mp7a
            uzJUqkF66QLSya0qxKMvyjOK3DpPAdD66hokQsZq4QKAKwoq2UqYgoV63RrYmgBS58q5auUSlTMEWoIDArLfooULNArmkmD7ArLmAvdLV0LKal
            n60SsX8rC6mkJ0AxYqUfqDyyXCnksSws8TA9sZkuDTBrrkus8KNxsE2vOrKPqc6mFqzbqo8xYaD/KZkpwax6tK2zm6yLLh2nGSNyMiysY7PBtO
            IwRLYvJaouxLUkKwg0kB6spMcw/KO7IWsp1qWHsAooajBhpQ8uNzBWqWusViWUKpysTDBqtDIujS1NqZuzwiH/L+8hBSwWMJ8swbAYsFAvIrPy
            M5YtJKpBr6snIab5KcE0SajiMKwyca5LKuuqli2RqDqpATG9L8Yla6R/raQwvqoUJe8juaWer/CnD6iYrgyxvSqXMXMSOzDgKUowyimirOIqeJ
            zLrpCnQx3oLM+uULVkq7Wraaz8rWWtnSTbpbqlOSkNJAGrxysjrI6pn6hLKHCsPzCeoV8wpqnaDVkwHKl/HnotM6ihJ7kf3KkqKeWsRxYzofUm
            3yFTr1wgMLBcGhCbqaXmJG6rUCaPJGipRK2tppOwnKkUpiWhtyYMK7EXjyQ3LKMoZy6MqZ+oXSzAqvMsnTBJJUmqwyggrX4vnyndMGEpoSa8Lw
            8hGK3xr/gUDTFXLoSdC6TXJbW1JS1InqkpiSp4p561EjEBHE4tUSiPLTasAy93MZuteq9qsGIxPaxOLj0w67IPpZEveyy1sEuqRrI/L8Avf6SW
            sUewgSlHM4erg614J+svbK5Zr+uuTy5fMWYkK6guKPSwczC/ojSrrSxnLQOxmCxWLo4tEiyWLXkppi6JnxGpSCU2qWcuUq70LXsrU62BrAEnba
            8RK1MxtKjLqRSq2iV4LNOkejNnsiYsEzQKMIqvP6qYqNeqQaNFL0sp4697LBSwF6wBL72tDCddLTC0XDLkLQC1oTHTsFysdDRONDogjx45snKy
            lTDZoKqznqxZIMMwebIBsaUpTKrIsTS1gjAHMeKu1SRhtCMtoiAWMI4sDrRwMueiaDR2KPuuHbNApgukvytdNM0jcTEuNRet7qOpsaerJqFFsS
            alRS6rp82yiDABHxqyuTNKr9uzPivPJ9Cr9qVWLxiySzRkM4s0WRsWqEsyWbLkLF60gLQusgMYKDN0NNMlmbIKMRov1h3XIc6wZ6eutNQtf7PE
            tiIxkiwdMnAbESwoLd0tUjgIKKC2fqY8sZ80eqyNMc8vEzQtuXGx7a48suauYRrYr6OspTQBtTstWbL9pT+o27FWtRk4xKlKracujjZ7tgK4Sa
            u7M1y3+iMqONawpjRUOgq56TUSMcunUrJ1Nfy2xaweLoSxY7RYs8c3hLKyNug4s7VYtDms5K16tO2v2bBhrSqpHSa8tF8yYiZurdOlPC7esj6l
            OK62KR20TDYiNkswEjU6NKw4WjKrOFA07DXrOTg5hzLeNYs2QTbZNzO2/bVtt2W3QrkatV43n7hZN3M3/rdKudm1wrgJtw==
            """)
}
