import { locators } from '../../../nodes/shared/input/locators';
import { isNamedId } from '../../../nodes/shared/input/field';
import { methods } from '../../../nodes/shared/listSearch';

const LABELS: Record<string, RegExp> = {
	url: /^By URL$/,
	before: /^Newest Before$/,
	name: /^By (Name|Name or Email|Title)$/,
	id: /^By ID$/,
};

it.each(Object.entries(locators))('%s', (name, field) => {
	const what = name.replace(/Id$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
	expect(field).toMatchObject({
		name,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
	});
	expect(field.displayName.toLowerCase()).toBe(what);
	const [list, ...others] = field.modes!;
	expect(list).toMatchObject({ displayName: 'From List', name: 'list', type: 'list' });
	expect(Object.keys(methods.listSearch!)).toContain(list!.typeOptions!.searchListMethod);
	expect(list!.typeOptions!.searchable).toBe(true);
	const own = { siteId: 'url', snapshotId: 'before' }[name] ?? [];
	const modes = [own, isNamedId(name) ? 'name' : [], 'id'].flat();
	expect(others.map((mode) => mode.name)).toEqual(modes);
	for (const mode of others) {
		expect(mode).toMatchObject({
			displayName: expect.stringMatching(LABELS[mode.name]!),
			type: 'string',
			placeholder: expect.stringMatching(/^e\.g\. ./),
		});
	}
});
