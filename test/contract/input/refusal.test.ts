import type { INodeParameters } from 'n8n-workflow';
import { activate, operationRun, runNode, runOf, type NodeRun } from '../../support/engine';
import { fleetOnce } from '../../support/fleet';
import { locator } from '../../support/locator';

/**
 * What the tables of the nodes refuse, although each value alone is right, and what a person leaves blank. Every
 * single value: `everyParameter.property.test.ts`; the wording by type: `unit/input`.
 */

const fleet = fleetOnce({ sites: 3 });

const id = locator('1');
const external = { type: 'external', destinationUrl: 'https://new.example.org' };
const internal = { destinationUrl: 'https://new.example.org' };
const ftp = { connectionMethod: 'ftp', ftpCredentials: '{ "server": {} }' };
const byPath = { siteId: id, path: './index.php' };
const noThemes = { themes: '={{ "specific" }}', themeFileNames: '' };
const onlyCustom = 'can only be set with the type "custom"';
const bothOff = 'Include Database" is off, and so is "Include Files". Turn on at least one of them';
const noField = '" is empty. Fill in or add at least one field';
const isText = (text: string) =>
	` is the text "${text}", not true or false. Turn the switch on or off`;
const noPart = ' contains a character that is not allowed in an ID';

const guarded = (username: string, password: string) => ({
	url: 'https://a.example.com',
	additionalFields: { httpAuth: { credentials: { username, password } } },
});
const works = (...titles: string[]) => ({
	siteId: id,
	customWorks: { work: titles.map((title) => ({ title, performedOn: '2026-02-10' })) },
});
const sections = (...section: INodeParameters[]) => ({
	name: 'A',
	additionalFields: { sections: { section } },
});
const schedule = (parameters: object) => ({
	...{ name: 'A', recurrence: 'daily', startedAt: '2026-03-05T02:00:00' },
	...{ sites: { scope: { selection: 'all' } }, updates: { categories: { plugins: 'all' } } },
	...parameters,
});
const scope = (selection: string, more: object) => ({ sites: { scope: { selection, ...more } } });
const logo = { logoBinaryField: 'logo' };
const fileOf = (mimeType: string) => ({ logo: { mimeType, content: Buffer.from('a file') } });

type Row = [parameters: object, message: string, binary?: NodeRun['binary']];

/** By operation: the parameters, and the message from the name of the parameter on. */
const bad: Record<string, Row[]> = {
	'backupContent/file/skip': ['./', '/', '.', './a/, ./'].map((paths): Row => [
		{ siteId: id, paths },
		`Paths" contains "${paths.split(', ').pop()}", which is all of the site: no file would be backed up`,
	]),
	'tag/tag/get': [
		[{ tagId: locator('   ') }, 'Tag" is empty'],
		...['../sites?x=1#y', 'a/b', 'a%2Fb', 'a\\b', 'a;b'].map((text): Row => [
			{ tagId: locator(text) },
			`Tag" is not an ID: "${text}"${noPart}`,
		]),
	],
	'tag/tag/create': [[{ name: '  ' }, 'Name" is empty']],
	'tag/tag/assign': [[{ tagId: id, siteIds: ' , \n ' }, 'Site IDs or URLs" is empty']],
	'tag/tag/update': [[{ tagId: id, updateFields: {} }, `Update Fields${noField}`]],
	'tag/tag/explode': [[{ tagId: id }, 'Operation" is unknown. Choose one from the list']],
	'client/client/create': [{}, { companyName: '', email: '' }].map((additionalFields): Row => [
		{ additionalFields },
		`Additional Fields${noField}`,
	]),
	'site/site/delete': [
		[{ siteId: locator('={{ undefined }}', 'url') }, 'Site" has no value'],
		[{ siteId: locator('https://', 'url') }, 'Site" is not a URL: "https://"'],
	],
	'site/site/getAll': [[{ limit: '' }, 'Limit" is empty']],
	'site/site/create': [
		[
			{ ...guarded('', ''), additionalFields: { httpAuth: {} } },
			'HTTP Basic Auth" needs its "User and Password"',
		],
		[guarded(' ', 'secret'), 'HTTP Basic Auth > Username" is empty'],
		[guarded('guard', ''), 'HTTP Basic Auth > Password" is empty'],
	],
	'site/site/update': [
		[
			{ siteId: id, updateFields: { stickyIp: '1.1.1.1', clear: ['connection.sticky_ip'] } },
			'Clear" clears "connection.sticky_ip", which you also set',
		],
	],
	'backup/backup/restore': [
		[{ includeFiles: '' }, 'Include Files" is empty'],
		[{ includeFiles: false, includeDatabase: false }, bothOff],
		[{ includeFiles: '={{ "false" }}', includeDatabase: '={{ false }}' }, bothOff],
		[
			{ includeFiles: '={{ false }}', paths: './index.php' },
			'Paths" is set, but "Include Files" is not on',
		],
		[{ includeFiles: 'true', paths: './wp-content/' }, `Include Files"${isText('true')}`],
		[{ includeDatabase: 'TRUE', tables: 'wp_posts' }, `Include Database"${isText('TRUE')}`],
		[
			{ ...ftp, connectionMethod: '={{ "http" }}' },
			'FTP Credentials" is set, but "Connection" is not "FTP"',
		],
	],
	'backup/backup/download': [
		[{ realTimeEvents: true, until: '' }, 'Until" is empty'],
		[
			{ includeDatabase: '={{ false }}', tables: ['wp_posts'] },
			'Tables" is set, but "Include Database" is not on',
		],
	],
	'backup/backup/upload': [
		[
			{ provider: '={{ "cloudstore_a" }}', backupDestinationId: locator('bkd_1') },
			'Backup Destination" is set, but "Provider" is not "Cloudstore B"',
		],
	],
	'backup/backup/migrate': [
		[{ ...external, connectionMethod: 'ftp' }, 'FTP Credentials" is empty'],
		[external, 'Connection" must be "FTP" for an external migration'],
		[{ ...internal, ...ftp }, 'Connection" cannot be "FTP" for an internal migration'],
	],
	'backupContent/file/getVersions': [
		[
			{ ...byPath, findBy: '={{ "id" }}', fileId: locator('a') },
			'Path" is set, but "Find By" is not "Path"',
		],
	],
	'customWork/customWork/create': [
		[works(), 'Custom Works" needs its "Custom Work"'],
		[works('Footer', '={{ " " }}'), 'Custom Works > 2 > Title" is empty'],
	],
	'reportTemplate/reportTemplate/create': [
		[
			sections({ key: 'cover', heading: 'Our report', clear: ['heading'] }),
			'Sections" clears the heading of the section "cover" but also sets it',
		],
		[
			sections({ key: 'cover' }, { key: 'introduction' }, { key: ' cover ' }),
			'Sections" contains the section "cover" more than once',
		],
	],
	'autoUpdate/schedule/create': [
		[schedule({ updates: {} }), 'Updates" needs its "What to Update"'],
		[schedule(scope('', { siteIds: 'a' })), 'Sites > Selection" is empty'],
		[
			schedule(scope('={{ "all" }}', { siteIds: 'a' })),
			'Sites > Site IDs or URLs" is set, but "Selection" is not "Specific"',
		],
		[
			schedule({ updates: { categories: { plugins: 'all', ...noThemes } } }),
			'Updates > Themes to Update" is empty',
		],
	],
	'senderEmail/senderEmail/update': [
		[
			{ senderEmailId: id, updateFields: { name: 'A', additionalBodyFields: '{ "name": "B" }' } },
			'Additional Body Fields" sets "name", which has its own field in the node',
		],
	],
	'branding/pluginBranding/update': [
		[{ type: '={{ "hidden" }}', additionalFields: { name: 'A' } }, `Name" ${onlyCustom}`],
	],
	'branding/loginScreenBranding/update': [
		[
			{ updateFields: logo },
			'Logo Input Binary Field" is not an image but a file of type "application/pdf"',
			fileOf('application/pdf'),
		],
		[
			{ updateFields: { ...logo, logoDataUri: 'data:image/png;base64,YQ==' } },
			'Logo Input Binary Field" is set together with the data URI. Use only one of them',
			fileOf('image/png'),
		],
		[
			{ updateFields: { ...logo, clear: ['logo_file'] } },
			'Logo Input Binary Field" sets a field that you also clear',
			fileOf('image/png'),
		],
	],
};

describe.each(Object.entries(bad))('%s', (operation, rows) => {
	const snapshot = operation.startsWith('backup/') && { siteId: id, snapshotId: locator('2') };

	it.each(rows)('refuses %j: %s', async (...[parameters, message, binary]: Row) => {
		const run = runOf(operation, { ...snapshot, ...parameters }, { binary });
		const { error } = await runNode(fleet, run);
		expect(error?.message).toBe(`The parameter "${message}`);
		expect(error?.description).toContain('Nothing was sent');
		expect(fleet.sent()).toEqual([]);
	});
});

it('names a bad row by its number and field, and its item by its number', async () => {
	const items = [{ t: 'Header' }, { t: '' }];
	const run = operationRun('customWork', 'create', works('A', '={{ $json.t }}'), { items });
	const { error } = await runNode(fleet, run);
	expect(error?.message).toBe('The parameter "Custom Works > 2 > Title" is empty (item 2 of 2)');
	expect(fleet.sent()).toEqual([]);
});

it('a trigger needs nothing of the scopes that are not chosen', async () => {
	const parameters = { events: ['down'], tagId: locator(''), siteIds: [] };
	const { poll } = await activate(fleet, { node: 'siteTrigger', parameters });
	await expect(poll()).resolves.toBeNull();
});
