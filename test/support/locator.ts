import type { INodeParameters } from 'n8n-workflow';

/** The value of a resource locator, as the editor saves it. */
export const locator = (value: unknown, mode: 'id' | 'url' | 'list' | 'name' = 'id') =>
	({ __rl: true, mode, value }) as unknown as INodeParameters;
