# SPDX-License-Identifier: Apache-2.0
"""Modules of MLIR around ops of a dialect that a subclass reads: values and their types, ops in generic form."""

import re

WORD = re.compile(r"[A-Za-z_][\w$.]*")
NUMBER = re.compile(r"-?\d+")
VALUE = re.compile(r"%[\w$.]+(#\d+)?")


class Wrong(Exception):
    """The text leaves the grammar."""


class Sharding:
    """The type !shard.sharding."""


SHARDING = Sharding()


class ModuleReader:
    """Reads one module; `ops` counts the ops of the dialect. `op_NAME` of a subclass reads shard.NAME."""

    def __init__(self, text):
        self.text, self.at = text, 0
        self.grids, self.scopes, self.ops = {}, [{}], {}
        self.pending = []  # grids that are named before all are known

    # --- words ---
    def fail(self, what):
        line = self.text.count("\n", 0, self.at) + 1
        raise Wrong(f"line {line}: {what}, not {self.text[self.at:self.at + 40]!r}")

    def skip(self):
        while self.at < len(self.text):
            if self.text[self.at].isspace():
                self.at += 1
            elif self.text.startswith("//", self.at):
                self.at = self.text.find("\n", self.at) + 1 or len(self.text)
            else:
                break

    def peek(self, token):
        self.skip()
        return self.text.startswith(token, self.at)

    def accept(self, token):
        if not self.peek(token):
            return False
        end = self.at + len(token)
        if token[-1].isalnum() and end < len(self.text) and (self.text[end].isalnum() or self.text[end] == "_"):
            return False
        self.at = end
        return True

    def expect(self, token):
        if not self.accept(token):
            self.fail(f"expected '{token}'")

    def match(self, pattern, what):
        self.skip()
        found = pattern.match(self.text, self.at)
        if not found:
            self.fail(f"expected {what}")
        self.at = found.end()
        return found[0]

    def number(self):
        return int(self.match(NUMBER, "a number"))

    def string(self):
        return self.match(re.compile(r'"(\\.|[^"\\])*"'), "a string")[1:-1]

    def symbol(self):
        self.expect("@")
        return self.string() if self.peek('"') else self.match(WORD, "a symbol")

    def balanced(self, opening, closing):
        """Text between brackets, strings inside left alone."""
        self.expect(opening)
        begin, depth = self.at, 1
        while depth:
            if self.at >= len(self.text):
                self.fail(f"expected '{closing}'")
            c = self.text[self.at]
            if c == '"':
                self.string()
                continue
            depth += (c in "([{<") - (c in ")]}" or (c == ">" and self.text[self.at - 1] != "-"))
            self.at += 1
        if self.text[self.at - 1] != closing:
            self.fail(f"expected '{closing}'")
        return self.text[begin:self.at - 1]

    def items(self, item, opening="[", closing="]"):
        self.expect(opening)
        found = []
        if not self.accept(closing):
            found.append(item())
            while self.accept(","):
                found.append(item())
            self.expect(closing)
        return found

    # --- values and types ---
    def use(self):
        name = self.match(VALUE, "a value")
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        return self.fail(f"{name} is not defined")

    def define(self, name, types):
        scope = self.scopes[-1]
        names = [name] if len(types) == 1 else [f"{name}#{i}" for i in range(len(types))]
        if any(n in s for n in names for s in self.scopes):
            self.fail(f"{name} is defined twice")
        scope.update(zip(names, types))

    def type(self):
        if self.accept("!shard.sharding"):
            return SHARDING
        if self.accept("tensor"):
            return ("tensor", self.balanced("<", ">").replace(" ", ""))
        if self.accept("!stablehlo.token"):
            return "token"
        if self.accept("tuple"):
            return ("tuple", self.balanced("<", ">"))
        if self.accept("complex"):
            return ("complex", self.balanced("<", ">"))
        return self.match(WORD, "a type")

    def types(self):
        found = [self.type()]
        while self.accept(","):
            found.append(self.type())
        return found

    def shape(self, type_):
        """(dims, element) of a ranked tensor."""
        if not isinstance(type_, tuple) or type_[0] != "tensor":
            self.fail(f"{type_} is no ranked tensor")
        parts = re.match(r"((?:\d+x)*)(.*)$", type_[1])
        return [int(d) for d in parts[1].split("x")[:-1]], parts[2]

    # --- the module ---
    def module(self):
        self.accept("module")
        if self.peek("@"):
            self.symbol()
        if self.accept("attributes"):
            self.balanced("{", "}")
        self.expect("{")
        while not self.accept("}"):
            if self.accept("shard.grid"):
                self.grid()
            elif self.accept("func.func"):
                self.function()
            else:
                self.fail("expected shard.grid or func.func")
        self.skip()
        if self.at != len(self.text):
            self.fail("expected the end")
        for name, axes, at in self.pending:
            if name not in self.grids:
                self.at = at
                self.fail(f"the grid @{name} is not defined")
            if len(set(axes)) != len(axes) or any(not 0 <= a < len(self.grids[name]) for a in axes):
                self.at = at
                self.fail(f"{axes} are no axes of @{name}")

    def grid(self):
        name = self.symbol()
        self.expect("(")
        self.expect("shape")
        self.expect("=")
        shape = self.match(re.compile(r"(\d+|\?)(x(\d+|\?))*"), "a shape")
        self.expect(")")
        self.attributes()
        if name in self.grids:
            self.fail(f"@{name} is defined twice")
        self.grids[name] = [None if d == "?" else int(d) for d in shape.split("x")]
        self.count("grid")

    def function(self):
        for visibility in "public", "private":
            self.accept(visibility)
        self.symbol()
        self.scopes.append({})
        self.items(self.argument, "(", ")")
        self.results = []
        if self.accept("->"):
            if self.peek("("):
                self.results = self.items(self.result, "(", ")")
            else:
                self.results = [self.result()]
        self.expect("{")
        while not self.peek("return") and not self.peek('"func.return"'):
            self.op()
        values = self.generic_return() if self.peek('"') else self.pretty_return()
        if values != self.results:
            self.fail("the function has other results")
        self.expect("}")
        self.scopes.pop()

    def generic_return(self):
        self.string()
        values = self.items(self.use, "(", ")")
        self.expect(":")
        if self.function_type(values):
            self.fail("a return has no results")
        return values

    def pretty_return(self):
        self.expect("return")
        if not self.peek("%"):
            return []
        values = [self.use()]
        while self.accept(","):
            values.append(self.use())
        self.expect(":")
        if self.types() != values:
            self.fail("the returned values have other types")
        return values

    def argument(self):
        name = self.match(VALUE, "an argument")
        self.expect(":")
        type_ = self.type()
        self.define(name, [type_])
        self.attributes()
        return type_

    def result(self):
        type_ = self.type()
        self.attributes()
        return type_

    def attributes(self):
        if self.peek("{"):
            self.balanced("{", "}")

    def count(self, op):
        self.ops[op] = self.ops.get(op, 0) + 1

    # --- ops ---
    def op(self):
        name, results = None, 0
        if self.peek("%"):
            name, results = self.match(VALUE, "a value"), 1
            if self.accept(":"):
                results = self.number()
            self.expect("=")
        if self.peek('"'):
            made = self.generic()
        elif self.accept("shard."):
            op = self.match(WORD, "an op of shard")
            rule = getattr(self, "op_" + op, None)
            if rule is None:
                self.fail(f"no op shard.{op}")
            self.count(op)
            made = rule()
        elif self.accept("arith.index_cast"):
            operand = self.use()
            self.expect(":")
            source = self.type()
            self.expect("to")
            target = self.type()
            if source != operand or (source == "index") == (target == "index"):
                self.fail("from an index or to one")
            made = [target]
        elif self.accept("tensor.extract"):
            operand, places = self.use(), self.items(self.use)
            self.expect(":")
            array = self.type()
            dims, element = self.shape(array)
            if array != operand or places != ["index"] * len(dims):
                self.fail("a place in an array")
            made = [element]
        elif self.accept("tensor.from_elements"):
            element = self.use()
            self.expect(":")
            made = [self.type()]
            if self.shape(made[0]) != ([], element):
                self.fail("one element makes an array without dimensions")
        else:
            self.fail("expected an op")
        if len(made) != results:
            self.fail(f"{len(made)} results, {results} named")
        if name:
            self.define(name, made)

    def generic(self):
        self.string()
        operands = self.items(self.use, "(", ")")
        if self.peek("<{"):
            self.balanced("<", ">")
        if self.accept("("):
            self.region()
            while self.accept(","):
                self.region()
            self.expect(")")
        self.attributes()
        self.expect(":")
        return self.function_type(operands)

    def function_type(self, operands):
        if self.items(self.type, "(", ")") != operands:
            self.fail("the operands have other types")
        self.expect("->")
        return self.items(self.type, "(", ")") if self.peek("(") else [self.type()]

    def region(self):
        self.expect("{")
        self.scopes.append({})
        if self.accept("^"):
            self.match(WORD, "a block")
            if self.peek("("):
                self.items(self.argument, "(", ")")
            self.expect(":")
        while not self.accept("}"):
            self.op()
        self.scopes.pop()
