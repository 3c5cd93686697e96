import type { INode } from 'n8n-workflow';

/** Whether a model calls the node: n8n has a type of its own for the node as a tool. */
export const isTool = (context: { getNode(): INode }) => context.getNode().type.endsWith('Tool');
