import { tag } from '../../../nodes/Tag/resources/tag';
import { nodeOf } from '../../../nodes/shared/node';

it('a node has one way for all requests, its panel, and what an AI that builds workflows reads', () => {
	const { requestOperations, properties, builderHint, hints, ...others } = nodeOf(tag);
	expect(requestOperations).toEqual({ pagination: expect.any(Function) });
	expect(properties[0]).toMatchObject({ name: 'resource', default: 'tag' });
	const told = builderHint!.extraTypeDefContent!.map(({ displayOptions }) => displayOptions!.show!);
	expect(told.flatMap(({ operation }) => operation)).toHaveLength(tag.operations.length);
	expect(hints!.length).toBeGreaterThan(0);
	expect(others).toEqual({
		group: ['transform'],
		defaults: { name: 'Site Management' },
		version: [1],
		defaultVersion: 1,
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'siteManagementApi', required: true }],
		requestDefaults: expect.any(Object),
	});
});
