import { nodeNameToToolName } from 'n8n-workflow';
import { tag } from '../../../nodes/Tag/resources/tag';
import { properties } from '../../../nodes/shared/describe';
import { sender } from '../../../nodes/shared/run/send';
import { itemsOf, type ItemsOptions, type Sent } from '../../support/engine/contexts';
import { locator } from '../../support/locator';

/** A tool has the execution data of its agent's node, and is called with them again and again. */

const create = { resource: 'tag', operation: 'create', name: 'A', output: 'raw' };
const send = sender([tag]);

const meta = { perPage: 100, totalPages: 1, totalItems: 1 };

const found = { id: '1', name: 'A' };
const ofTag = ({ url }: Sent) => ({
	body: url === '/tags' ? { tags: [found], meta: { pagination: meta } } : { tag: found },
});

/** Calls a tool twice; with Retry On Fail n8n does so with the same input. */
async function callTwice(status: number, options: ItemsOptions = {}) {
	const { item, sent } = itemsOf({
		...{ parameters: create, properties: properties([tag]), asTool: true, count: 2 },
		answer: ({ method }) =>
			method === 'GET'
				? { body: { tags: [], meta: { pagination: { ...meta, totalItems: 0 } } } }
				: { status, body: status < 300 ? { tag: { id: '1', name: 'A' } } : {} },
		...options,
	});
	const errors: unknown[] = [];
	for (let call = 0; call < 2; call++) {
		await send.call(item as never, { options: {} } as never).catch((error) => errors.push(error));
	}
	const changes = sent.filter(({ method }) => method !== 'GET');
	return { sent: changes.length, urls: sent.map(({ url }) => url), errors: errors as Error[] };
}

it.each([
	['that may have been made', 500, true, 1],
	['that may have been made, without Retry On Fail', 500, false, 2],
	['that was certainly not made', 422, true, 2],
	['that was made', 201, true, 2],
])(
	'a change %s is sent this often when its tool is called twice',
	async (_, status, retryOnFail, times) => {
		expect((await callTwice(status, { node: { retryOnFail } })).sent).toBe(times);
	},
);

it('each call of a tool looks up names again, since they may have changed', async () => {
	const { urls, errors } = await callTwice(200, {
		parameters: { resource: 'tag', operation: 'get', tagId: locator('A', 'name') },
		answer: ofTag,
	});
	expect(errors).toEqual([]);
	expect(urls).toEqual(['/tags', '/tags/1', '/tags', '/tags/1']);
});

it('a call may have what a review adds, and nothing else that the tool does not have', async () => {
	const { item } = itemsOf({
		parameters: { resource: 'tag', operation: 'get', tagId: "={{ '1' || $fromAI('tag') }}" },
		...{ properties: properties([tag]), asTool: true },
		answer: ofTag,
	});
	const call = async (tool: string) => {
		const given = { tag: '1', tool, hitlParameters: {} };
		const mcp = { method: 'tools/call', params: { arguments: given } };
		Object.assign(item.getExecuteData().data.main![0]![0]!.json, mcp);
		return await send.call(item as never, { options: {} } as never);
	};
	expect(await call(nodeNameToToolName(item.getNode()))).toHaveLength(1);
	await expect(call('other')).rejects.toThrow('"tool" is not one of this tool: "other"');
});

it('an error of a tool does not mention the items of the agent', async () => {
	const { errors } = await callTwice(422);
	expect(errors).toHaveLength(2);
	for (const { message } of errors) expect(message).not.toContain('item');
});

it('no change is made before n8n has passed all items, since n8n may have stopped at one', async () => {
	const { sent, errors } = await callTwice(201, { asTool: false, count: 3 });
	expect([sent, errors]).toEqual([0, []]);
});

it('a resource that the node does not have is refused', async () => {
	const parameters = { ...create, resource: 'paint' };
	const { sent, errors } = await callTwice(201, { parameters, asTool: false, count: 1 });
	expect(sent).toBe(0);
	expect(errors[0]!.message).toBe('The parameter "Resource" is unknown. Choose one from the list');
});
