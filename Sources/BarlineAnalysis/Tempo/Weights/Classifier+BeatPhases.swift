// Made by Benchmarks/Tempo/train.py; not to be edited.

extension Classifier {
    /// Scores a phase of the beats.
    static let beatPhases = Classifier(
        base64: """
            gE8ATABAADQANAA0ADQANAA0ADQANAA0ADQANAA0ADQANAA0ADQANAA0ADQANKk1qTWmNKU0ATQBNAs0CzSuqp4x80LzQvNC80KHQ4dDh0OHQ9
            5D3kPeQ95DcUNxQ3FDcUOWS5ZLlkuWS2BCYEJJQ0lDlUOVQyZDJkPMQAZEeabTMkUzCTHeLC20qK1iLHW2c60XNOCgLCkRtjotrTKpsXCzzrTh
            tPyzga3sraYxMjZYLGO2nqoiHdEzj7D+KzO0JrMytJi4/rFQMb2yNKsOHcQh2bZoKeYxBLiKLsWzjq2CMJmmTLSfrj4uKy9AMaYoKCqFMFykGD
            GFLVK07LHuq22r8DRpNSKuGbM8pDa4wbHTr/Q0fyi+KM20fKwLNEOsaCtrKxWu86Jgs38tjy5hNfszYp5bMWupqTJTLD8yA7RmLjW13LV3sQAf
            Oy6xNoWra6QhsO0uFLFUqUIz07NjiraZkB1SrUMpwqsiM9wwUq3Hr0EgBbREsMYwjbhiJtyyGC0yLzU0iTEmtyMnuy7pqKKxgyzMtFQ0cbZ5rM
            sphbXjuc2w9LVJrR40VijJMSg0nK0NtDMuXKGlLzUnrTDatacvRbBbtX6zMyC1s9Yt75/MLgu1UTAislOwQqzUuIA0B690qVwqG69DLtY0EC8Y
            tcGhhDKeMx0t0jGIteImxTK0q082KzUPNVirc7S8Lhy0DDCiMrUkPTVotZu0D5gbrru6a7XBspW2U7EeMf8xLDcTtJ20Mq0LMZkuGrnlNcmxMq
            iquBe2GbivriCtlqj9F+Ao7KsEtOMuKbMnJh+6MK7ILumwraMzrUs1TTOntCq0SbR1tkUwHjQkN+e03rHTNgKyAyopK/orziwOHycsxCpJrr+s
            lTAJreioArNWLcsxmTQ6tBisqqx1t7UsLq76slasVLLvqt4wwzI7L6UoQSxXMTOzXCxtHno1fjIlKGkxOyk4sC2fBDO9L9Uw6LgHtL0xLjTuNF
            Mxky98pyMxzCiuqVsyki0ssxmuJrN0NBgd+TBrMLEpoipoNB8uXbLVNHE0dp44MK+48jDKsPC0ETToqp0sPDJFKaMwATVVsRmrLLikLg0056Jo
            M52vMSLzLhqmianLqHugXip4L4WnVih5NdMw8y/Mths0MrV+shg2HzHoMEutYSHkr7mm8zUkMI60eJdXs8ev2bGcrZanQiyVMAoqd7MOLUkvqy
            yEtBa4tasdItkyvbEpNHWzobHBLcCpzakRM4qgT7Riqx0sYazBuGUzD68bMq4tDrCEJ7w0SqthqKG256LfshYzOjLMrWM2GrGPrwezFTG0LJ2v
            H7LosDyxXLLZo+0hRyVCLceqyrUnKSuy3S6DLu6vbyztr+w1bawyLpepAbExrks3vDKYtgEu/LF2pveyCLG6KhIwELUlqfasWKQxpUwVjbasMZ
            +yLqiYrOaoN7ZKNtQcuzi3OQI7YTogOEg5jqwJESk3k6/rOI6lM6v3NkS047SONEw0PDUqNNc5pbiht9e1j7qrNhU2a7TCtby4bzgxvDWwoS9c
            Naeg9LS2tkwveDZ3NJA1JSpcrGWzM6VOMVqkXxvaMASw7DYuOOwsobWKr1Gx2C0iqSi13TTpsoWtjitYrzy10LQesjKwgq2YuE+1F7bPtr2q77
            jCqL4mh7cmpUEw7rJArSuvJzEnn6oqzR8irlCw+ya0tK8w/yzoJAWocq4cKYUwdjB0qKS3Xy7RMhMywDNktN0xQbVhtW0si7NbsTQxBjBeMhkw
            wjTTLkUgUK2lLfiwzas6Khax9Cm0rHOq/rL1pfWpJAhWp2Kxy7Vbs4+1li8VsDKngK4qsV+s4LI3rJot7JgYIhMySDBmtumuWSwqK2QzjjHOLA
            ApgS2Js5wsHzWiNmu0N7WiM6o18DACNk2xGTLet6k0XDSStvEj4jTBslKhfjYTNB+xW7CAJAI0hq82tc8yQa8PtMw0Hq2+uHqyPLfsqf2vSrca
            sG0wi7EIMaC1dDTcsYO0lqVNNk+wYLUdtaQ0ji9doTofm6fwpEwU5LHqKH60YDHSJbu4ajQpMMg0l7lUuMcvPTjQNDg2czN7OL22IqpsNDyymz
            W/LWYrbzgKN302KLijrTSzVTY5tVK1czBjJlq0bjQHt1C66LfQmW2xgCYJsBy2BbZru9quFrixqSG0TbHwtFI5daH0rcWx0jMXM9u0EyD6MDk1
            cDAKJ2sw4jDyqOgxhSB6pTawVabHIOsb2jQ9r/mwRC2RLKiy7y2vMrUoFKQ5MFm2NK3cKiAyC7Z5nkKrhCuKLnw1U7PhtGaoWLBYOMcyMLfbr7
            G3ECujNHKqszBPqTG5r6TSs440VChasBe3oSaNMpo0JCawqPAtZDQNNbszdTT3tSowqCB5JGCoPKgbLZ+x8SOXq+OszK9+HTAuhjGwtqgo4DKE
            OK2uX6rMtJw0VqwnqX8exzAkKEYtKrPvrpyadbRuLWIyhTYoNPIypjWcItYpL7OGq/2sES6ZI9wsF66Wn66v9iEvMDuonyYRtA+o2y5oL1myeq
            0FK+GckzGeJkC2iqzPNrA3ni7XrfYzlTHCpt+2M6rrrV6OuTASqH20OqYRpkWx8DPvr3CqEq+cq4yvPJQ8LpUvETJAr00WEyz7tcUwprKENpys
            vSxTIE6zCTDVroYlCi08pverrzInrMA0tC8YKbMmXbLAr+MvM6QUovAsjKuMMgSzpLHyrvoy2CKRsY6wUTQZs14vCbXzKWcoLDMtLumpoicsMb
            Mu2KRHLJohFjg8Mb0stqwvM/otJSyYqvQxdCgPLCKsci0SmFwwqCkduwk3nimwM7MzfLbVOEy2xzWnOLw6njf/OIS5KiQoOtc4JTGcOLwsargd
            uRo0kripuPq5wjIgNF03rLhUNhw0zbeaNMQ34LQ=
            """)
}
