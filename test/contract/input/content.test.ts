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
		{ operation: 'enable', siteId: '={{ null }}' },
		'The parameter "Site" has no value',
	],
	[
		'activityLog',
		list({ objectType: '={{ ["plugin"] }}' }),
		'The parameter "Object Type" takes one value, not a list',
	],
	[
		'activityLog',
		list({ ipAddress: '={{ $json.ip }}' }),
		'The parameter "IP Address" has no value; to skip blank filters, turn on Options > Ignore Blank Filters',
	],
	[
		'activityLog',
		list({ timestampAfter: 'last week' }),
		'The parameter "Logged After" is not a date and time: "last week"; use a format like 2026-03-01 or 2026-03-01T12:00:00Z',
	],
	['customWork', works(), 'The parameter "Custom Works" needs its "Custom Work"'],
	[
		'customWork',
		works(good, { ...good, title: '={{ " " }}' }),
		'The parameter "Custom Works > 2 > Title" is empty',
	],
	[
		'customWork',
		works({ ...good, performedOn: '={{ "31.12.2025" }}' }),
		'The parameter "Custom Works > 1 > Performed On" is not a date and time: "31.12.2025"; use a format like 2026-03-01 or 2026-03-01T12:00:00Z',
	],
	[
		'customWork',
		works({ ...good, description: '={{ $json.details }}' }),
		'The parameter "Custom Works > 1 > Description" has no value',
	],
	[
		'customWork',
		list({ performedOn: '={{ "2026-02-30" }}' }),
		'The parameter "Performed On" is not a date and time: "2026-02-30"; use a format like 2026-03-01 or 2026-03-01T12:00:00Z',
	],
	[
		'customWork',
		ofSite('get', { customWorkId: locator('={{ "" }}', 'list') }),
		'The parameter "Custom Work" is empty',
	],
	[
		'customWork',
		ofSite('update', { customWorkId, updateFields: {} }),
		'The parameter "Update Fields" is empty. Add at least one field',
	],
	[
		'customWork',
		ofSite('update', { customWorkId, updateFields: { title: '={{ "" }}' } }),
		'The parameter "Title" is empty',
	],
	[
		'customWork',
		ofSite('update', {
			customWorkId,
			updateFields: { description: 'More', clear: ['description'] },
		}),
		'The parameter "Clear" clears "description", which you also set',
	],
	[
		'customWork',
		ofSite('update', { customWorkId, updateFields: { clear: '={{ ["title"] }}' } }),
		'The parameter "Clear" is "title", which is not one of "description"',
	],
	['importantPage', ofSite('create', { url: '={{ "" }}' }), 'The parameter "URL" is empty'],
	[
		'importantPage',
		ofSite('delete', { importantPageId: locator('..') }),
		'The parameter "Important Page" is not an ID: ".."',
	],
	['note', ofSite('create', { content: '={{ " " }}' }), 'The parameter "Content" is empty'],
	[
		'note',
		ofSite('update', { noteId: locator('2'), content: '={{ $json.text }}' }),
		'The parameter "Content" has no value',
	],
	[
		'note',
		list({ userEmail: '={{ "owner" }}' }),
		'The parameter "Author Email" is not an email address: "owner"',
	],
	[
		'site/setting',
		ofSite('update', { updateFields: { autoUpdates: '={{ "no" }}' } }),
		'The parameter "Automatic Updates" must be true or false: "no"',
	],
	[
		'site/setting',
		ofSite('update', { updateFields: {} }),
		'The parameter "Update Fields" is empty. Add at least one field',
	],
];

refusedInputs(cases);
