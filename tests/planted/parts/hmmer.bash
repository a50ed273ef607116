# A data base of 200 short profiles and 1500 sequences to look up in it, made up here. To be sourced.
# hmmscan reads the data base again for every sequence; hmmsearch reads the sequences again for every profile.
families() {
    awk '
        function letter() { return substr("ACDEFGHIKLMNPQRSTVWY", int(rand() * 20) + 1, 1) }
        function protein(n,   text) { for (text = ""; n > 0; n--) text = text letter(); return text }
        BEGIN {
            srand(1)
            for (family = 0; family < 20; family++) {
                common = protein(60)
                print "# STOCKHOLM 1.0\n#=GF ID family" family
                for (member = 0; member < 4; member++) {
                    at = int(rand() * 60)
                    print "member" member, substr(common, 1, at) letter() substr(common, at + 2)
                }
                print "//"
            }
            for (i = 0; i < 1500; i++) print ">protein" i "\n" protein(60) >"proteins.fa"
        }'
}

prepare_hmmer() {
    families >families.sto
    hmmbuild --cpu 0 -o /dev/null some.hmm families.sto
    # The same ones under ten names: building profiles takes longer than all the rest.
    for copy in 0 1 2 3 4 5 6 7 8 9; do sed "s/^NAME  /NAME  copy$copy-/" some.hmm; done >profiles.hmm
    hmmpress profiles.hmm
}
