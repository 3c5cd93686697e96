// n8n's rules are for nodes. What is linted here is in eslint.own.config.mjs, at the top level.
export default [{ ignores: ['**'] }];
