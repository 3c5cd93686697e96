// The one place that knows where the library is.
export * from '../../../node_modules/htm/preact/standalone.module.js';
