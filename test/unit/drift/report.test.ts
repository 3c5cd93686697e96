import { asText } from '../../../tools/drift/report';
import type { Json } from './support';
import { compared, operationIn, servedDocument } from './support';

/** A document with an operation gone, one moved and one new. */
async function reported(change: (document: Json) => void): Promise<string> {
	const served = await servedDocument();
	delete served.paths['/tags/{tag_id}'].delete;
	served.paths['/sites/{site_id}/backups/sync'] = served.paths['/sites/{site_id}/sync'];
	delete served.paths['/sites/{site_id}/sync'];
	served.paths['/domains'] = { get: { responses: {} } };
	change(served);
	const comparison = await compared(served);
	const document = { title: 'A', outside: new Set<string>(), pinned: '' };
	return asText({ ...comparison, document, total: 123 });
}

it.each<[names: string, change: (document: Json) => void]>([
	['with names of operations', () => undefined],
	[
		'without them',
		(document) => {
			for (const [path, methods] of Object.entries<Json>(document.paths)) {
				for (const method of Object.keys(methods)) {
					delete operationIn(document, `${method.toUpperCase()} ${path}`).operationId;
				}
			}
		},
	],
])('lists what is gone, what has moved and what is new, %s', async (_names, change) => {
	const text = await reported(change);
	const lists = text.split('\n\n').map((part) => part.split('\n'));
	expect(lists[1]![0]).toBe('The nodes have these operations, and the service no longer does:');
	expect(lists[1]![1]).toMatch(/Tag: Delete .*there is no DELETE \/tags\/\{\} any more/);
	expect(lists[2]![0]).toBe('These operations have moved:');
	expect(lists[2]![1]).toMatch(
		/Backup: Back Up .*is POST \/sites\/\{site_id\}\/backups\/sync there/,
	);
	expect(lists[3]![0]).toBe('The service has these operations, and the nodes do not:');
	expect(lists[3]![1]).toMatch(/GET \/domains.*Until then, use Any Operation/);
	for (const nth of [1, 2, 3]) expect(lists[nth]).toHaveLength(2);
});
