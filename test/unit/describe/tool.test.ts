import { request } from '../../../nodes/Api/resources/request';
import * as tables from '../../../nodes/resources';
import { beginsWith } from '../../../nodes/shared/operation';
import { toolText } from '../../../nodes/shared/describe/texts';

/** What a model reads of an operation, where nobody has written another text. */

const all = [...Object.values(tables), request].flatMap(({ value, operations }) =>
	operations.map((operation) => ({ name: `${value}/${operation.labels.value}`, operation })),
);

const textOf = (name: string) => toolText(all.find((each) => each.name === name)!.operation);

it('says what it does, what kind of harm it can do, and where the IDs come from', () => {
	expect(textOf('backup/restore')).toBe(
		'Restore site from backup. Start a task that restores a site from a snapshot: overwrites the live site.\nKind: Change Live Sites, cannot be undone.\nFind the ID of the site with "Get many sites", and the ID of the snapshot with "Get many snapshots".',
	);
	expect(textOf('tag/assign')).toBe(
		'Assign a tag to sites.\nKind: Organize Records.\nFind the ID of the tag with "Get many tags", and the ID of the site with "Get many sites".',
	);
	expect(textOf('task/getAll')).toBe('Get many tasks.\nOnly reads.');
	expect(textOf('request/send')).toMatch(/Some requests destroy data that cannot be restored\.$/);
});

it('is unique, begins with the name of the operation, and is short', () => {
	const texts = all.map(({ operation }) => toolText(operation));
	expect(new Set(texts).size).toBe(texts.length);
	for (const { operation } of all) {
		const text = toolText(operation);
		expect(beginsWith(operation.labels.action, text)).toBe(true);
		expect(text.length).toBeLessThan(400);
	}
});

it('names existing lists', () => {
	const actions = all.map(({ operation }) => operation.labels.action);
	const named = all.flatMap(({ operation }) =>
		[...toolText(operation).matchAll(/"(Get many [^"]+)"/g)].map(([, list]) => list),
	);
	expect(named.length).toBeGreaterThan(100);
	expect(named.filter((list) => !actions.includes(list!))).toEqual([]);
});
