/** Icons are bundled as text. */
declare module "*.svg" {
  const source: string;
  export default source;
}
