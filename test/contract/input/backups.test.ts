import type { INodeParameters } from 'n8n-workflow';
import { refusedInputs, type BadInput } from '../../support/badInput';
import { locator } from '../../support/locator';

const onSite = { siteId: locator('1') };
const onSnapshot = { ...onSite, snapshotId: locator('2') };

const backup = (operation: string, parameters: INodeParameters, message: string): BadInput => [
	'backup',
	{ operation, ...onSnapshot, ...parameters },
	message,
];
const file = (operation: string, parameters: INodeParameters, message: string): BadInput => [
	'backupContent/file',
	{ operation, ...onSite, ...parameters },
	message,
];
const stagingSite = (operation: string, parameters: INodeParameters, message: string): BadInput => [
	'stagingSite',
	{ operation, stagingSiteId: locator('3'), ...parameters },
	message,
];
const toExternal = { type: 'external', destinationUrl: 'https://new.example.org' };

const cases: BadInput[] = [
	backup('download', { realTimeEvents: true, until: '' }, 'Until" is empty'),
	backup('migrate', { ...toExternal, connectionMethod: 'ftp' }, 'FTP Credentials" is empty'),
	backup(
		'restore',
		{ includeFiles: false, includeDatabase: false },
		'Include Database" is off, and so is "Include Files". Turn on at least one of them',
	),
	backup(
		'restore',
		{ includeFiles: '={{ "false" }}', includeDatabase: '={{ false }}' },
		'Include Database" is off, and so is "Include Files". Turn on at least one of them',
	),
	backup(
		'restore',
		{ includeFiles: '={{ false }}', paths: './index.php' },
		'Paths" is set, but "Include Files" is not on',
	),
	backup(
		'download',
		{ includeDatabase: '={{ "no" }}' },
		'Include Database" must be true or false: "no"',
	),
	backup(
		'download',
		{ includeDatabase: '={{ false }}', tables: ['wp_posts'] },
		'Tables" is set, but "Include Database" is not on',
	),
	backup(
		'download',
		{ realTimeEvents: true, until: 'noon' },
		'Until" is not a date and time: "noon"; use a format like 2026-03-01 or 2026-03-01T12:00:00Z',
	),
	backup(
		'upload',
		{ provider: '={{ "cloudstore_a" }}', backupDestinationId: locator('bkd_1') },
		'Backup Destination" is set, but "Provider" is not "Cloudstore B"',
	),
	backup('migrate', toExternal, 'Connection" must be "FTP" for an external migration'),
	backup(
		'migrate',
		{
			destinationUrl: 'https://new.example.org',
			connectionMethod: 'ftp',
			ftpCredentials: '{ "server": {} }',
		},
		'Connection" cannot be "FTP" for an internal migration',
	),
	backup(
		'restore',
		{ connectionMethod: 'ftp', ftpCredentials: '["server"]' },
		'FTP Credentials" is not a JSON object, such as { "name": "value" }',
	),
	backup(
		'restore',
		{ connectionMethod: '={{ "http" }}', ftpCredentials: '{ "server": { "host": "a" } }' },
		'FTP Credentials" is set, but "Connection" is not "FTP"',
	),
	backup(
		'restore',
		{ connectionMethod: 'http', httpAuth: { credentials: { username: ' ', password: 'a' } } },
		'HTTP Basic Auth > Username" is empty',
	),
	file('getAll', { filters: { sizeMin: -1 } }, 'Size Minimum" must be at least 0'),
	file('getAll', { options: { snapshotId: locator('..') } }, 'Snapshot" is not an ID: ".."'),
	file(
		'getVersions',
		{ findBy: '={{ "id" }}', fileId: locator('a'), path: './index.php' },
		'Path" is set, but "Find By" is not "Path"',
	),
	file(
		'getVersions',
		{ findBy: '={{ "name" }}', fileId: locator('={{ "" }}'), path: './index.php' },
		'Find By" is "name", which is not one of "id", "path"',
	),
	file(
		'download',
		{ findBy: 'path', path: './index.php', modifiedAt: '2026-03-01T12:00:00', size: 1.5 },
		'Size" must be a whole number: 1.5',
	),
	[
		'backupContent/table',
		{ operation: 'getAll', ...onSite, filters: { rowsMax: '={{ "many" }}' } },
		'Rows Maximum" is not a number: "many"',
	],
	stagingSite('extendExpiry', { days: 0 }, 'Days" must be at least 1'),
	stagingSite('extendExpiry', { days: '={{ 1.5 }}' }, 'Days" must be a whole number: 1.5'),
	stagingSite(
		'getSsoLoginUrl',
		{ options: { wpObjectId: 'admin' } },
		'User ID" must contain only digits: "admin"',
	),
];

refusedInputs(cases);
