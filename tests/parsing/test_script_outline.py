from tests.parsing.outlines import check, imports, outline


def test_typescript_classes():
    check(
        "a.ts",
        """
        /** Serves users. */
        @Injectable()
        export default abstract class Users<T> extends Base<T> implements Api {
          @Input() name: string = "x";
          static #cache = new Map();
          constructor(private db: Db) { super(); }
          /**
           * How many there are.
           */
          get size(): number { return 1 }
          abstract load(): void;
          save(a: string): void;
          save(a: any): void { function inner() {} }
          private async *stream() {}
          handler = async (event: Event): Promise<void> => {};
        }
        """,
        """
        class 2:3-16 export default abstract class Users<T> extends Base<T> implements Api  # Serves users.
            property 4-4 name: string = "x"
            property 5-5 private static #cache = new Map()
            method 6-6 constructor(private db: Db)
            property 10-10 get size(): number  # How many there are.
            method 11-11 abstract load(): void
            method 12-12 save(a: string): void
            method 13-13 save(a: any): void
                function 13-13 private function inner()
            method 14-14 private private async *stream()
            method 15-15 handler = async (event: Event): Promise<void> =>
        """,  # noqa: E501
    )


def test_typescript_declarations():
    check(
        "a.ts",
        """
        export function parse(a: string): A;
        export function parse(a: any) { return a }
        export const enum Level { Low, High = 2 }
        interface Shape { area: number; scale(by: number): Shape }
        type Pair = { a: string };
        namespace Deep.Er { export const x = 1 }
        declare module "other" { export function g(): void }
        declare const VERSION: string;
        export const h = async <T,>(x: T): Promise<T> => x, k = 2;
        export const { one, two: three } = load();
        """,
        """
        function 1-1 export function parse(a: string): A
        function 2-2 export function parse(a: any)
        enum 3-3 export const enum Level
            variable 3-3 Low
            variable 3-3 High = 2
        interface 4-4 private interface Shape
            property 4-4 area: number
            method 4-4 scale(by: number): Shape
        type 5-5 private type Pair = { a: string }
        module 6-6 private namespace Deep.Er
            variable 6-6 export const x = 1
        module 7-7 private declare module "other"
            function 7-7 export function g(): void
        variable 8-8 private declare const VERSION: string
        function 9-9 const h = async <T,>(x: T): Promise<T> =>
        variable 9-9 const k = 2
        variable 10-10 export const { one, two: three } = load()
        variable 10-10 export const { one, two: three } = load()
        """,
    )


def test_default_exports():
    check("a.ts", "export default async () => 1", "function 1-1 export default async () =>")
    check("a.js", "export default function () {}", "function 1-1 export default function ()")
    check("a.js", "function f() {}\nexport default f", "function 1-1 function f()")
    check(
        "a.js",
        "export default { name: 'x', data() {}, nested: { m() {} } }",
        """
        variable 1-1 export default { name: 'x', data() {}, nested: { m() {} } }
            method 1-1 data()
            property 1-1 nested: { m() {} }
                method 1-1 m()
        """,
    )


def test_commonjs():
    source = """
        module.exports = { a() {}, b: function () {}, get c() { return 1 }, 'd-e': () => 1, shown };
        exports.named = function other() {};
        exports.limit = 3;
        function shown() {}
        function hidden() {}
        Thing.prototype.run = function () { this.inner = () => 1 };
        var app = exports = module.exports = {};
        app.init = function init(a, b) {};
    """
    check(
        "a.js",
        source,
        """
        method 1-1 a()
        method 1-1 b: function ()
        property 1-1 get c()
        method 1-1 'd-e': () =>
        function 2-2 exports.named = function other()
        variable 3-3 exports.limit = 3
        function 4-4 function shown()
        function 5-5 private function hidden()
        method 6-6 Thing.prototype.run = function ()
            function 6-6 private this.inner = () =>
        variable 7-7 var app = exports = module.exports = {}
        method 8-8 app.init = function init(a, b)
        """,
    )
    names = [symbol.qualified_name for symbol in outline("a.js", source).symbols]
    assert "Thing.run" in names
    assert "app.init" in names


def test_what_a_file_exports_as_a_whole_is_called_as_it_calls_itself():
    source = """
        module.exports = function castWhole(a) { return a };
        exports = module.exports = class Engine { start() {} };
        module.exports = function (b) { return b };
        exports.open = function other() {};
    """
    check(
        "a.js",
        source,
        """
        function 1-1 module.exports = function castWhole(a)
        class 2-2 module.exports = class Engine
            method 2-2 start()
        function 3-3 module.exports = function (b)
        function 4-4 exports.open = function other()
        """,
    )
    names = [symbol.qualified_name for symbol in outline("a.js", source).symbols]
    assert names == ["castWhole", "Engine", "exports", "open"]


def test_a_plain_script_hides_nothing():
    check("a.js", "function f() {}", "function 1-1 function f()")


def test_functions_in_expressions_are_found():
    check(
        "a.tsx",
        """
        describe("x", () => {
          const helper = () => <b>{items.map((i) => <Item key={i} />)}</b>;
          class Local { run() {} }
        });
        const Button = (props: Props) => <button {...props} />;
        """,
        """
        function 2-2 private const helper = () =>
        class 3-3 private class Local
            method 3-3 run()
        function 5-5 const Button = (props: Props) =>
        """,
    )


def test_script_imports():
    source = """
        import D, * as all from 'd';
        import type { T, U as V } from "./t";
        import './side';
        import fs = require("fs");
        export { a as b } from './m';
        export * from "./y";
        export * as ns from "./z";
        const { p, q: r } = require('./p'), s = require('s').part;
        require('side');
        async function load() { const late = await import("./late") }
        const templated = import(`./${name}`);
    """
    assert imports("a.ts", source) == [
        "1 d D all",
        "2 ./t T V",
        "3 ./side",
        "4 fs fs",
        "5 ./m b",
        "6 ./y *",
        "7 ./z ns",
        "8 ./p p r",
        "8 s s",
        "9 side",
        "10 ./late late",
    ]
