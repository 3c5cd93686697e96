import { resources } from '../../../nodes/resources';
import type { Field } from '../../../nodes/shared/input/field';
import { isClosed } from '../../../nodes/shared/input/convert';

/** Which lists of choices are a wall, and why: each that is not is the editor's offer. */

interface Listed {
	/** Such as `backup/upload provider`. */
	name: string;
	/** Its route changes nothing, or it is in the query. */
	isRead: boolean;
	field: Field;
}

function listsIn(fields: Field[], where: string, isRead: boolean): Listed[] {
	return fields.flatMap((field): Listed[] => {
		if (field.type === 'options' || field.type === 'multiOptions') {
			const isQuery = field.target?.type === 'query';
			const isLoaded = field.typeOptions?.loadOptionsMethod !== undefined;
			return isLoaded ? [] : [{ name: `${where} ${field.name}`, isRead: isRead || isQuery, field }];
		}
		const below = ((field.options ?? []) as Array<Field & { values?: Field[] }>).flatMap(
			(option) => option.values ?? ('type' in option ? [option] : []),
		);
		return listsIn(below, where, isRead);
	});
}

const lists = resources.flatMap(({ value, operations }) =>
	operations.flatMap(({ labels, route, fields }) =>
		listsIn(fields, `${value}/${labels.value}`, route.startsWith('GET ')),
	),
);

it('each reason for a closed list is used', () => {
	const reasons = lists.filter(({ field }) => isClosed(field)).map(({ field }) => field.closed);
	expect(new Set(reasons)).toEqual(new Set(['ofNode', 'form', 'change']));
});

it('in reads, only lists that the node itself evaluates are closed', () => {
	const closed = lists.filter(({ isRead, field }) => isRead && isClosed(field));
	expect(new Set(closed.map(({ field }) => `${field.name}: ${field.closed}`))).toEqual(
		new Set(
			['backupPeriod', 'findBy', 'onFailure', 'output', 'whenNone'].map(
				(name) => `${name}: ofNode`,
			),
		),
	);
});

it('in changes, only lists that the reference does not define are open', () => {
	const open = lists
		.filter(({ isRead, field }) => !isRead && !isClosed(field))
		.map(({ name }) => name)
		// A record can have fields that nobody knows.
		.filter((name) => !name.endsWith(' outputFields'));
	expect(open).toEqual(['backup/upload provider']);
	const closed = lists.filter(
		({ isRead, field }) => !isRead && isClosed(field) && field.closed !== 'ofNode',
	);
	expect([...new Set(closed.map(({ name, field }) => `${name}: ${field.closed}`))]).toEqual([
		'schedule/create recurrence: change',
		'schedule/create selection: form',
		'schedule/create plugins: form',
		'schedule/create themes: form',
		'schedule/update recurrence: change',
		'schedule/update selection: form',
		'schedule/update plugins: form',
		'schedule/update themes: form',
		'backup/migrate type: form',
		'backup/migrate connectionMethod: form',
		'backup/restore connectionMethod: form',
		'pluginBranding/update type: form',
		'scheduledReport/create frequency: change',
		'scheduledReport/update frequency: change',
		'teamMember/create role: change',
		'teamMember/update role: change',
	]);
});
