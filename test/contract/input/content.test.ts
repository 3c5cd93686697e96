import type { INodeParameters } from 'n8n-workflow';
import { refusedInputs, type BadInput } from '../../support/badInput';
import { locator } from '../../support/locator';

const siteId = locator('1');
const ofSite = (operation: string, more: INodeParameters): INodeParameters => ({
	operation,
	siteId,
	...more,
});
const list = (filters: INodeParameters) => ofSite('getAll', { filters });
const works = (...work: INodeParameters[]) => ofSite('create', { customWorks: { work } });
const good = { title: 'Footer', performedOn: '2026-02-10' };
const customWorkId = locator('2');

const cases: BadInput[] = [
	[
		'activityLog',
		list({ objectType: '={{ ["plugin"] }}' }),
		'Object Type" takes one value, not a list',
	],
	[
		'activityLog',
		list({ timestampAfter: 'last week' }),
		'Logged After" is not a date and time: "last week"; use a format like 2026-03-01 or 2026-03-01T12:00:00Z',
	],
	['customWork', works(), 'Custom Works" needs its "Custom Work"'],
	[
		'customWork',
		works(good, { ...good, title: '={{ " " }}' }),
		'Custom Works > 2 > Title" is empty',
	],
	[
		'customWork',
		works({ ...good, performedOn: '={{ "31.12.2025" }}' }),
		'Custom Works > 1 > Performed On" is not a date and time: "31.12.2025"; use a format like 2026-03-01 or 2026-03-01T12:00:00Z',
	],
	[
		'customWork',
		works({ ...good, description: '={{ $json.details }}' }),
		'Custom Works > 1 > Description" has no value',
	],
	[
		'customWork',
		list({ performedOn: '={{ "2026-02-30" }}' }),
		'Performed On" is not a date and time: "2026-02-30"; use a format like 2026-03-01 or 2026-03-01T12:00:00Z',
	],
	[
		'customWork',
		ofSite('update', { customWorkId, updateFields: {} }),
		'Update Fields" is empty. Add at least one field',
	],
	[
		'customWork',
		ofSite('update', {
			customWorkId,
			updateFields: { description: 'More', clear: ['description'] },
		}),
		'Clear" clears "description", which you also set',
	],
	[
		'customWork',
		ofSite('update', { customWorkId, updateFields: { clear: '={{ ["title"] }}' } }),
		'Clear" is "title", which is not one of "description"',
	],
	[
		'importantPage',
		ofSite('delete', { importantPageId: locator('..') }),
		'Important Page" is not an ID: ".."',
	],
	['note', list({ userEmail: '={{ "owner" }}' }), 'Author Email" is not an email address: "owner"'],
	[
		'site/setting',
		ofSite('update', { updateFields: { autoUpdates: '={{ "no" }}' } }),
		'Automatic Updates" must be true or false: "no"',
	],
	[
		'site/setting',
		ofSite('update', { updateFields: {} }),
		'Update Fields" is empty. Add at least one field',
	],
];

refusedInputs(cases);
