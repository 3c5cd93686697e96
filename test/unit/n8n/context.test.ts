import type { INode } from 'n8n-workflow';
import { isTool } from '../../../nodes/shared/n8n/context';

it.each([
	['n8n-nodes-site-management.tagTool', true],
	['n8n-nodes-site-management.tag', false],
	['n8n-nodes-site-management.toolbox', false],
])('%s: %s', (type, expected) => {
	expect(isTool({ getNode: () => ({ type }) as INode })).toBe(expected);
});
