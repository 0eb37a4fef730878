// SPDX-License-Identifier: Apache-2.0
//! Graphs, plans and programs as structs and iterators, shardings, and graphs that are built.
mod support;
use support::{decided, inputs, mesh, mlp, planned};
use tilewright::*;

#[test]
fn ops_and_values() {
    let graph = mlp();
    let names: Vec<_> = graph.ops().map(|op| op.name).collect();
    let dot = "stablehlo.dot_general";
    let argument = "func.argument";
    assert_eq!(names, [argument, argument, argument, dot, "stablehlo.tanh", dot, "func.result"]);
    for op in graph.ops() {
        for (i, &operand) in op.operands.iter().enumerate() {
            let value = graph.value(operand).unwrap();
            assert!(value.uses.contains(&Use { op: op.id, operand: i as u32 }));
            assert!(value.op.unwrap() < op.id);
        }
        for (i, result) in op.results().enumerate() {
            let value = graph.value(result).unwrap();
            assert_eq!((value.op, value.index as usize), (Some(op.id), i));
        }
        assert_eq!((op.parent, op.regions().len()), (RegionId(0), 0));
    }
    let x = graph.argument(0).unwrap();
    assert_eq!((graph.find_value("x").unwrap(), graph.value_name(x).unwrap()), (x, "x".to_owned()));
    assert_eq!(
        (graph.symbol(x).unwrap(), graph.argument(9), graph.result(9)),
        ("%arg0".to_owned(), None, None)
    );
    let parameters: Vec<_> = graph.arguments().map(|a| format!("{} {}", a.name, a.to_type())).collect();
    assert_eq!(parameters, ["x f32[8,6]", "w1 f32[6,12]", "w2 f32[12,6]"]);
    let contracting = graph.op(OpId(3)).unwrap().attributes();
    assert!(
        contracting.contains(&("lhs_contracting_dimensions", Attribute::Ints(vec![1]))),
        "{contracting:?}"
    );
    assert!(op_names().any(|name| name == dot) && ops_info(Some(dot)).unwrap().contains("lhs_contracting"));
    assert!(graph.info(true).unwrap().contains("\"values\""));
}

#[test]
fn regions_and_constants() {
    let mut b = Builder::new("sum").unwrap();
    let x = b.constant(&[1.0f32, 2.0, 3.0, 4.0], &[2, 2]);
    let zero = b.splat(0.0, Dtype::F32, &[]);
    let add = b.combiner("add", Dtype::F32);
    let sum = b
        .op("reduce")
        .operands(&[x, zero])
        .region(add)
        .attribute("dimensions", [0])
        .location("here.py:7")
        .result();
    b.name(sum, "sum");
    let three = b.fill(Bf16(0x4040), &[2]);
    let wide = b.convert(three, Dtype::F32);
    let both = b.binary("multiply", sum, wide);
    b.result("y", both);
    let graph = b.finish().unwrap();
    let reduce = graph.ops().find(|op| op.name == "stablehlo.reduce").unwrap();
    assert_eq!((reduce.location().unwrap().as_str(), reduce.regions().len()), ("here.py:7", 1));
    let region = graph.region(reduce.regions().next().unwrap()).unwrap();
    assert_eq!((region.parent, region.arguments.len(), region.ops.len()), (Some(reduce.id), 2, 1));
    assert_eq!(graph.regions().count(), 2);
    assert_eq!(graph.op(region.ops[0]).unwrap().name, "stablehlo.add");
    assert_eq!(region.yields, graph.op(region.ops[0]).unwrap().results().collect::<Vec<_>>());
    let constant = graph.op(graph.value(x.into()).unwrap().op.unwrap()).unwrap().constant().unwrap();
    assert_eq!(
        (constant.bytes.len(), constant.is_splat, &constant.bytes[..4]),
        (16, false, &1.0f32.to_le_bytes()[..])
    );
    assert_eq!(graph.find_value("%sum").unwrap(), ValueId::from(sum));
    assert_eq!(graph.evaluate::<Tensor>(&[]).unwrap()[0].as_slice::<f32>().unwrap(), [12.0, 18.0]);
}

#[test]
fn what_the_builder_has() {
    let mut b = Builder::new("all").unwrap();
    let x = b.argument("x", Dtype::F32, &[2, 3]);
    let t = b.transpose(x, &[1, 0]);
    let r = b.reshape(t, &[6]);
    let s = b.slice(r, &[0], &[6], Some(&[2]));
    let wide = b.broadcast(s, &[2, 3], &[1]);
    let less = b.compare("LT", x, wide);
    let picked = b.add("select", &[less, x, wide], &[]);
    let long = b.concatenate(&[picked, x], 0);
    let most = b.reduce("max", long, &[0]);
    let [values, indices]: [Value; 2] = {
        let i = b.add(
            "iota",
            &[],
            &[("iota_dimension", 0.into()), ("result_dims", [3].into()), ("result_dtype", Dtype::S32.into())],
        );
        let f32 = Type::new(Dtype::F32, &[]);
        let i32 = Type::new(Dtype::S32, &[]);
        let before =
            b.region(&[f32.clone(), f32, i32.clone(), i32], |b, a| vec![b.compare("GT", a[0], a[1])]);
        b.op("sort").operands(&[most, i]).region(before).attribute("dimension", 0).results()
    };
    b.result("values", values);
    b.result("indices", indices);
    b.check().unwrap();
    let graph = b.finish().unwrap();
    let x = Tensor::from_slice(&[1.0f32, 5.0, 3.0, 4.0, 2.0, 6.0], &[2, 3]).unwrap();
    let outputs = graph.evaluate(&[x]).unwrap();
    assert_eq!(outputs[0].as_slice::<f32>().unwrap(), [6.0, 5.0, 4.0]);
    assert_eq!(outputs[1].as_slice::<i32>().unwrap(), [2, 1, 0]);
}

#[test]
fn shardings() {
    let mesh = Mesh::parse("data=2,model=4").unwrap();
    let part = AxisPart { axis: "model".into(), before: 2, size: 2 };
    assert_eq!(part.to_string(), "model:(2)2");
    let dims = [
        DimSharding {
            split: Split::Ceil,
            halo_before: 1,
            border: Border::Wrap,
            ..DimSharding::over(["data"])
        },
        DimSharding::over([part.clone()]),
    ];
    let sum =
        Partial { part: AxisPart { axis: "model".into(), before: 1, size: 2 }, reduction: Reduction::Sum };
    let sharding = Sharding::new(&mesh, &[5, 8], &dims, &[sum]).unwrap();
    assert_eq!(sharding.dim_shardings()[1].axes, [part]);
    assert_eq!((sharding.num_tiles(0), sharding.is_whole(), sharding.dims()), (2, false, &[5i64, 8][..]));
    assert_eq!((sharding.partials()[0].reduction, sharding.local_dims()), (Reduction::Sum, vec![4, 4]));
    let again = Sharding::parse(&mesh, &sharding.to_string(), &[5, 8]).unwrap();
    assert_eq!(again, sharding);
    assert_ne!(Sharding::parse(&mesh, "[{}, {}]", &[5, 8]).unwrap(), sharding);
    assert_eq!(
        mesh.tile("[{data}, {}]", &[5, 8], 7).unwrap(),
        Tile { offset: vec![2, 0], extent: vec![3, 8] }
    );
    let moved = mesh.with_devices(&[7, 6, 5, 4, 3, 2, 1, 0]).unwrap();
    assert_eq!((moved.device_id(0), moved.device_id(8), moved.num_positions()), (Some(7), None, 8));
    assert_eq!((moved.axis_kind(0), moved.axis_kind(2)), (Some(AxisKind::Devices), None));
}

#[test]
fn values_that_keep_halos() {
    let mesh = Mesh::parse("a=3").unwrap();
    let with = |text| Sharding::parse(&mesh, text, &[13]).unwrap();
    let mut b = Builder::new("stencil").unwrap();
    let x = b.argument("x", Dtype::F32, &[13]);
    let wide = b.keep_halo(x, &with("[{a}:halo=[2,2]]"));
    let n = b.unary("negate", wide);
    let (left, right) = (b.slice(n, &[0], &[11], None), b.slice(n, &[2], &[13], None));
    let inside = Sharding::parse(&mesh, "[{a}:cuts=[0,4,7,11]]", &[11]).unwrap();
    b.shard(left, &inside);
    b.shard(right, &inside);
    let y = b.binary("add", left, right);
    b.result("y", y);
    let program = b.finish().unwrap().plan(&mesh).unwrap().lower().unwrap();
    assert_eq!((program.num_collectives(), program.bytes_received()), (1, 16)); // two elements from each side
    let x: Vec<f32> = (0..13).map(|i| (i * i) as f32).collect();
    let made = program.executable().unwrap().run(&[Borrowed::new(&x, &[13]).unwrap()]).unwrap();
    let expected: Vec<f32> = (0..11).map(|i| -x[i] - x[i + 2]).collect();
    assert_eq!(made[0].as_slice::<f32>().unwrap(), expected);

    for (text, status) in
        [("[{a}]", Status::InvalidArgument), ("[{a}:halo=[1,1]:wrap]", Status::Unimplemented)]
    {
        let mut b = Builder::new("wrong").unwrap();
        let x = b.argument("x", Dtype::F32, &[13]);
        b.keep_halo(x, &with(text));
        assert_eq!(b.finish().unwrap_err().status(), status);
    }
}

// A halo that ends where the array does: made of a struct, read back, told to a program, and found in it.
#[test]
fn halos_without_a_border() {
    let mesh = Mesh::parse("a=3").unwrap();
    let around = |border| {
        let dim = DimSharding { halo_before: 2, halo_after: 2, border, ..DimSharding::over(["a"]) };
        Sharding::new(&mesh, &[13], &[dim], &[]).unwrap()
    };
    let ends = around(Border::Nothing);
    assert_eq!(ends.to_string(), "[{a}:spans=[0,6,2,10,6,13]]"); // around 0..4, 4..8 and 8..13
    assert_eq!(ends.tile(2).unwrap(), Tile { offset: vec![6], extent: vec![7] });
    let zeros = around(Border::Zero);
    assert_eq!(zeros.tile(2).unwrap(), Tile { offset: vec![6], extent: vec![9] });
    assert_ne!(ends, zeros);

    let mut b = Builder::new("keeps").unwrap();
    let x = b.argument("x", Dtype::F32, &[13]);
    let wide = b.keep_halo(x, &ends);
    b.result("y", wide);
    let program = b.finish().unwrap().plan(&mesh).unwrap().lower().unwrap();
    let laid_out = (0..program.locals().len() as u32).map(|i| program.local_sharding(LocalId(i)).unwrap());
    let kept: Vec<_> = laid_out.filter(|s| s.dim(0).unwrap().border == Border::Nothing).collect();
    assert!(!kept.is_empty() && kept.iter().all(|s| *s == ends));
    let dim = kept[0].dim(0).unwrap();
    assert_eq!((dim.split, dim.halo_before, dim.halo_after), (Split::Balanced, 2, 2));
    let dim = Sharding::parse(&mesh, "[{a}:spans=[0,6,2,10,6,13]]", &[13]).unwrap().dim(0).unwrap();
    assert_eq!((dim.halo_before, dim.border), (2, Border::Nothing));
}

#[test]
fn shardings_of_a_builder() {
    let mesh = mesh();
    let rows =
        Sharding::new(&mesh, &[8, 6], &[DimSharding::over(["data"]), DimSharding::whole()], &[]).unwrap();
    let mut b = Builder::new("annotated").unwrap();
    let x = b.argument("x", Dtype::F32, &[8, 6]);
    b.shard(x, &rows);
    let y = b.unary("tanh", x);
    b.result("y", y);
    b.shard_result(0, &rows);
    let graph = b.finish().unwrap();
    assert_eq!(graph.mesh().unwrap().to_string(), "data=2,model=2");
    let plan = Plan::new(&graph, None, &PlanOptions::default()).unwrap();
    assert_eq!(plan.value_sharding(y).unwrap(), rows);
    let ignoring = PlanOptions { ignore_annotations: true, ..Default::default() };
    assert_eq!(Plan::new(&graph, None, &ignoring).unwrap().sharding("x").unwrap(), "[{}, {}]");
}

#[test]
fn plans() {
    let mut plan = planned();
    let stamp = plan.stamp();
    let actions: Vec<_> = plan.actions().map(|action| action.text.to_owned()).collect();
    assert!(actions.iter().any(|action| action.contains("w1")), "{actions:?}");
    let loops = plan.loops(OpId(5)).unwrap();
    let model = loops.iter().find(|l| l.axis == "model").unwrap();
    assert_eq!((model.kind, model.reduction), (LoopKind::Reduce, Reduction::Sum));
    assert_eq!((&model.operand_dims[..], &model.result_dims[..]), (&[Some(1), Some(0)][..], &[None][..]));
    assert_eq!(plan.argument_sharding(1).unwrap().to_string(), "[{}, {model}]");
    assert!(plan.result_sharding(0).is_ok() && plan.mesh().num_devices() == 4);
    assert!(plan.explain("w2", Some("model")).unwrap().contains("w1"));
    assert!(plan.conflicts().unwrap().is_empty());
    plan.atomic("y", "model").unwrap();
    plan.undo(stamp).unwrap();
    assert_eq!(plan.num_conflicts(), 0);
    for form in forms() {
        let text = if form.of_plan { plan.emit(form.name) } else { plan.lower().unwrap().emit(form.name) };
        assert!(!text.unwrap().is_empty(), "{}", form.name);
        let program = plan.lower().unwrap();
        let bytes = if form.of_plan { plan.emit_bytes(form.name) } else { program.emit_bytes(form.name) };
        assert_eq!(bytes.unwrap().starts_with(b"ML\xefR"), form.binary, "{}", form.name);
        for pass in form.passes {
            assert!(!plan.emit_after(form.name, Some(pass)).unwrap().is_empty());
        }
    }
    assert_eq!((find_form("loops").unwrap().name, find_form("nothing")), ("loops", None));
}

#[test]
fn conflicts() {
    let graph = mlp();
    let mut plan = graph.plan(&mesh()).unwrap();
    for argument in ["x", "w1"] {
        plan.tile(argument, 1, "data").unwrap();
    }
    plan.infer_propagate().unwrap();
    let lists = [plan.conflicts().unwrap(), plan.disagreements().unwrap()];
    assert!(lists.iter().any(|list| !list.is_empty()));
    for conflict in lists.iter().flat_map(Conflicts::iter) {
        assert!(!conflict.text.is_empty() && conflict.axis == "data", "{conflict:?}");
        assert!(conflict.ways.iter().all(|way| way.bytes.is_none()));
    }
    let program = plan.lower().unwrap();
    let costed = [program.conflicts().unwrap(), program.disagreements().unwrap()];
    let mut ways = costed.iter().flat_map(Conflicts::iter).flat_map(|conflict| conflict.ways);
    assert!(ways.any(|way| way.bytes.is_some()));
}

#[test]
fn programs() {
    let program = planned().lower().unwrap();
    assert_eq!((program.num_devices(), program.num_collectives(), program.count("all_reduce").unwrap()), (4, 1, 1));
    assert!(program.count("all-reduce").unwrap_err().to_string().contains("TW-792"));
    let collective = program.collectives().next().unwrap();
    assert_eq!((collective.kind, collective.reduction), (CollectiveKind::AllReduce, Reduction::Sum));
    let instr = program.instr(collective.instr).unwrap();
    assert_eq!(instr.kind, InstrKind::Collective(0));
    let moved = instr.results().next().unwrap();
    assert_eq!(program.local(moved).unwrap().instr, collective.instr);
    assert!(program.local_sharding(moved).unwrap().partials().is_empty());
    assert!(!program.local_sharding(instr.operands[0]).unwrap().partials().is_empty());
    let ops: Vec<_> =
        program.instrs().filter(|i| i.kind == InstrKind::Compute).filter_map(|i| i.op).collect();
    assert_eq!(ops.len(), 3);
    assert!(program.locals().all(|local| local.instr < program.instrs().len()));
    assert_eq!(program.argument_sharding(0).unwrap().to_string(), "[{data}, {}]");
    assert!(program.result_sharding(0).is_ok() && program.mesh().num_devices() == 4);
    assert!(
        program.actions().len() > 1 && program.peak_bytes() > 0 && program.num_failed_expectations() == 0
    );
    assert!(program.explain_collective(0).unwrap().contains("w1") && !program.result_exact(0));
    assert!(program.json().unwrap().starts_with('{') && program.to_string().contains("all_reduce"));
    let options = LowerOptions {
        without: vec!["defer_sums".into()],
        levels: Some("node=2".into()),
        ..Default::default()
    };
    let near = Program::lower(&planned(), &options).unwrap();
    assert!(near.collectives().any(|c| c.bytes_by_level.len() == 2));
}

#[test]
fn executables() {
    let graph = mlp();
    let (plan, arrays) = (decided(&graph).unwrap(), inputs(&graph));
    let expected = graph.evaluate(&arrays).unwrap();
    let program = plan.lower().unwrap();
    let options = ExecutableOptions::default().workers(2).profile().trace();
    let mut executable = Executable::new(&program, options).unwrap();
    assert!(executable.run(&arrays).unwrap()[0].compare(&expected[0]).unwrap().passes);
    assert_eq!(
        (executable.counters().unwrap().runs, executable.num_devices(), executable.workers()),
        (1, 4, 2)
    );
    assert!(
        executable.arena_bytes() > 0
            && executable.peak_bytes(0).is_some()
            && executable.peak_bytes(9).is_none()
    );
    for json in [executable.flight(), executable.trace(), executable.profile(), executable.on_host()] {
        assert!(json.unwrap().starts_with('{'));
    }
    let mut tiled = Executable::new(&program, ExecutableOptions::default().tiles()).unwrap();
    assert_eq!(tiled.new_outputs().unwrap_err().status(), Status::InvalidArgument);
    let mut tiles = vec![];
    for (i, argument) in arrays.iter().enumerate() {
        for device in 0..4 {
            let tile = tiled.argument_tile(i, device).unwrap();
            let mut part = Tensor::zeros(Dtype::F32, &tile.extent).unwrap();
            part.fill_part(argument.dims(), &tile.offset, "default", 0, i as u64).unwrap();
            tiles.push(part);
        }
    }
    let result = |device| tiled.result_tile(0, device).unwrap();
    let places: Vec<_> = (0..4).map(result).collect();
    let mut outputs: Vec<_> = places.iter().map(|p| Tensor::zeros(Dtype::F32, &p.extent).unwrap()).collect();
    tiled.run_into(&tiles, &mut outputs).unwrap();
    let whole = expected[0].view::<f32>().unwrap();
    for (place, output) in places.iter().zip(&outputs) {
        let first = whole[[place.offset[0] as usize, place.offset[1] as usize]];
        assert!((output.as_slice::<f32>().unwrap()[0] - first).abs() < 1e-5);
    }
}

#[test]
fn redistributions() {
    let mesh = Mesh::parse("x=2").unwrap();
    let plan = Redistribution::new(&mesh, "i32[4] [{x}]", "[{}]").unwrap();
    assert_eq!(plan.tile(Side::Target, 1).unwrap(), Tile { offset: vec![0], extent: vec![4] });
    assert_eq!(
        (plan.num_devices(), plan.device_id(1), plan.device_id(2), plan.rank()),
        (2, Some(1), None, 1)
    );
    assert_eq!((plan.item_size(), plan.bytes_received(0), plan.bytes_received(5)), (4, Some(8), None));
    assert!(plan.exact() && !plan.combines() && plan.check().is_ok() && plan.height_bytes() > 0);
    let again = Redistribution::load(&plan.save().unwrap()).unwrap();
    assert_eq!(
        (again.hash(), again.method(), again.scratch_bytes()),
        (plan.hash(), plan.method(), plan.scratch_bytes())
    );
    assert!(plan.json(true).unwrap().starts_with('{') && plan.pareto().unwrap().starts_with('['));
    assert_eq!(plan.element(Side::Target, &[3]).unwrap(), Some(vec![3]));
    let halo = Redistribution::new(&mesh, "i32[4] [{x}]", "[{x}:halo=[1,1]]").unwrap();
    assert_eq!(halo.element(Side::Target, &[-1]).unwrap(), None);
    let (mut a, mut b) = ([0i32; 4], [0i32; 4]);
    plan.redistributor().unwrap().run(&[&[1, 2], &[3, 4]], &mut [&mut a, &mut b]).unwrap();
    assert_eq!((a, b), ([1, 2, 3, 4], [1, 2, 3, 4]));
    let shared = RedistributorOptions { share: true, workers: 1, ..Default::default() };
    let mut mover = Redistributor::new(&[&plan], &shared).unwrap();
    let home = mover.home(0, 1).unwrap();
    let elsewhere = home != Home { side: Side::Target, device: 1 };
    let (mut a, mut b) = ([0i32; 4], vec![0i32; if elsewhere { 0 } else { 4 }]);
    mover.run(&[&[1, 2], &[3, 4]], &mut [&mut a, &mut b]).unwrap();
    assert_eq!(a, [1, 2, 3, 4]);
    let donate = RedistributorOptions { donate: true, ..Default::default() };
    let mut mover = Redistributor::new(&[&plan], &donate).unwrap();
    assert!(mover.run(&[&[1, 2], &[3, 4]], &mut [&mut a, &mut [0; 4]]).is_err());
    let (mut s, mut t, mut u) = ([1, 2], [3, 4], [0; 4]);
    mover.run_donating(&mut [&mut s, &mut t], &mut [&mut a, &mut u]).unwrap();
    assert_eq!(u, [1, 2, 3, 4]);
    let link = Link { alpha_us: 1.0, message_us: 1.0, gb_per_s: 10.0 };
    let options =
        RedistributionOptions { method: Some("direct".into()), links: vec![link], ..Default::default() };
    let direct = Redistribution::with(&mesh, "i32[4] [{x}]", Some(&mesh), "[{}]", &options).unwrap();
    assert_eq!(direct.method(), "direct");
    assert!(direct.to_string().contains("direct"));
    let rows = Sharding::parse(&mesh, "[{x}]", &[4]).unwrap();
    let whole = Sharding::parse(&mesh, "[{}]", &[4]).unwrap();
    let lost = RedistributionOptions { lost: vec![1], ..Default::default() };
    let left = Redistribution::between(&rows, &whole, Dtype::S32, &lost).unwrap();
    let part = Tile { offset: vec![2], extent: vec![2] };
    assert_eq!(left.missing().unwrap(), [(0, part.clone()), (1, part)]);
    assert!(direct.missing().unwrap().is_empty());
}

#[test]
fn the_library() {
    assert!(api_version() >= 200 && !version().is_empty() && build_info().unwrap().starts_with('{'));
    assert_eq!(Status::NotFound.to_string(), "not_found");
}
