/** The built package in n8n's own engine. */

export type { Access } from './oneNode';
export * from './package';
export * from './packageTrigger';
export * from './run';
