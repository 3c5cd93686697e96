import type { INodeParameters } from 'n8n-workflow';

export const locator = (value: unknown, mode: 'id' | 'url' | 'list' | 'name' = 'id') =>
	({ __rl: true, mode, value }) as unknown as INodeParameters;
