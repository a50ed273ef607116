// Tables of the C code, which run.mjs makes importable as text.
declare module "*.def" {
    const text: string;
    export default text;
}
