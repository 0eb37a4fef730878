// SPDX-License-Identifier: Apache-2.0
//! Reads a StableHLO program, applies a spec over a mesh, and says what every device holds, what must be
//! sent, and why; runs nothing. Usage: 02_import_and_plan MODEL.mlir MESH SPEC.txt VALUE
use tilewright::{Graph, Mesh, Result};

fn report(model: &str, mesh: &str, spec: &str, value: &str) -> Result<bool> {
    let graph = Graph::load(model)?;
    println!(
        "{}: {} ops, {} arguments",
        graph.name(),
        graph.num_ops(),
        graph.arguments().len()
    );
    let mut plan = graph.plan(&Mesh::parse(mesh)?)?;
    plan.apply_file(spec)?;
    print!("\n{}", plan.explain(value, None)?);
    let program = plan.lower()?;
    print!("\n{}", program.report(100, false)?);
    Ok(program.num_failed_expectations() == 0)
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let code = match &arguments[1..] {
        [model, mesh, spec, value] => match report(model, mesh, spec, value) {
            Ok(holds) => i32::from(!holds),
            Err(error) => {
                eprintln!("{error}"); // position in our text, one line, the id, then notes
                1
            }
        },
        _ => {
            eprintln!("usage: {} MODEL.mlir MESH SPEC.txt VALUE", arguments[0]);
            2
        }
    };
    std::process::exit(code);
}
