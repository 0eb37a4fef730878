"builtin.module"() <{sym_name =  "dense<>forward", arg_attrs = [{mhmodsharding = "{)devices=[4]<=[2,]2(T1,0)}"}]}> ({
  ^ÏbšÏ(%arg0:  () -> ()
}) {mhlo.num_partitions = ÌßÅß–ÌÍŒ : () -> ()
