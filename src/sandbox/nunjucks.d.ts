/** The one function that we call: the package brings no types. */
declare module "nunjucks" {
  const nunjucks: { readonly renderString: (template: string, context: object) => string };
  export default nunjucks;
}
