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
	backup(
		'download',
		{ snapshotId: locator('={{ "" }}', 'list') },
		'The parameter "Snapshot" is empty',
	),
	backup(
		'restore',
		{ includeFiles: false, includeDatabase: false },
		'The parameter "Include Database" is off, and so is "Include Files". Turn on at least one of them',
	),
	backup(
		'restore',
		{ includeFiles: '={{ "false" }}', includeDatabase: '={{ false }}' },
		'The parameter "Include Database" is off, and so is "Include Files". Turn on at least one of them',
	),
	backup(
		'restore',
		{ includeFiles: '={{ undefined }}' },
		'The parameter "Include Files" has no value',
	),
	backup(
		'restore',
		{ includeFiles: '={{ false }}', paths: './index.php' },
		'The parameter "Paths" is set, but "Include Files" is not on',
	),
	backup(
		'download',
		{ includeDatabase: '={{ "no" }}' },
		'The parameter "Include Database" must be true or false: "no"',
	),
	backup(
		'download',
		{ includeDatabase: '={{ false }}', tables: ['wp_posts'] },
		'The parameter "Tables" is set, but "Include Database" is not on',
	),
	backup('download', { paths: '={{ null }}' }, 'The parameter "Paths" has no value'),
	backup('download', { realTimeEvents: true, until: '' }, 'The parameter "Until" is empty'),
	backup(
		'download',
		{ realTimeEvents: true, until: 'noon' },
		'The parameter "Until" is not a date and time: "noon"; use a format like 2026-03-01 or 2026-03-01T12:00:00Z',
	),
	backup(
		'upload',
		{ provider: '={{ "drive" }}', backupDestinationId: locator('={{ $json.gone }}') },
		'The parameter "Backup Destination" has no value',
	),
	backup(
		'upload',
		{ provider: 'cloudstore_b', backupDestinationId: locator('={{ "" }}') },
		'The parameter "Backup Destination" is empty',
	),
	backup(
		'upload',
		{ provider: '={{ "cloudstore_a" }}', backupDestinationId: locator('bkd_1') },
		'The parameter "Backup Destination" is set, but "Provider" is not "Cloudstore B"',
	),
	backup('migrate', { destinationUrl: '={{ "" }}' }, 'The parameter "Destination URL" is empty'),
	backup(
		'migrate',
		toExternal,
		'The parameter "Connection" must be "FTP" for an external migration',
	),
	backup(
		'migrate',
		{
			destinationUrl: 'https://new.example.org',
			connectionMethod: 'ftp',
			ftpCredentials: '{ "server": {} }',
		},
		'The parameter "Connection" cannot be "FTP" for an internal migration',
	),
	backup(
		'migrate',
		{ ...toExternal, connectionMethod: 'ftp' },
		'The parameter "FTP Credentials" is empty',
	),
	backup(
		'restore',
		{ connectionMethod: 'ftp', ftpCredentials: '["server"]' },
		'The parameter "FTP Credentials" is not a JSON object, such as { "name": "value" }',
	),
	backup(
		'restore',
		{ connectionMethod: 'ftp', ftpCredentials: '={{ $json.gone }}' },
		'The parameter "FTP Credentials" has no value',
	),
	backup(
		'restore',
		{ connectionMethod: '={{ "http" }}', ftpCredentials: '{ "server": { "host": "a" } }' },
		'The parameter "FTP Credentials" is set, but "Connection" is not "FTP"',
	),
	backup(
		'restore',
		{ connectionMethod: 'http', httpAuth: { credentials: { username: ' ', password: 'a' } } },
		'The parameter "HTTP Basic Auth > Username" is empty',
	),
	file('getAll', { filters: { sizeMin: -1 } }, 'The parameter "Size Minimum" must be at least 0'),
	file(
		'getAll',
		{ options: { snapshotId: locator('..') } },
		'The parameter "Snapshot" is not an ID: ".."',
	),
	file('getVersions', { fileId: locator('={{ "" }}') }, 'The parameter "File" is empty'),
	file(
		'getVersions',
		{ findBy: '={{ "id" }}', fileId: locator('a'), path: './index.php' },
		'The parameter "Path" is set, but "Find By" is not "Path"',
	),
	file(
		'getVersions',
		{ findBy: '={{ "name" }}', fileId: locator('={{ "" }}'), path: './index.php' },
		'The parameter "Find By" is "name", which is not one of "id", "path"',
	),
	file(
		'download',
		{ findBy: 'path', path: './index.php', modifiedAt: '2026-03-01T12:00:00', size: 1.5 },
		'The parameter "Size" must be a whole number: 1.5',
	),
	file(
		'download',
		{ fileId: locator('a'), binaryPropertyName: '={{ "" }}' },
		'The parameter "Put Output File in Field" is empty',
	),
	file('skip', { paths: '={{ [] }}' }, 'The parameter "Paths" is empty'),
	[
		'backupContent/table',
		{ operation: 'getAll', ...onSite, filters: { rowsMax: '={{ "many" }}' } },
		'The parameter "Rows Maximum" is not a number: "many"',
	],
	stagingSite('extendExpiry', { days: 0 }, 'The parameter "Days" must be at least 1'),
	stagingSite(
		'extendExpiry',
		{ days: '={{ 1.5 }}' },
		'The parameter "Days" must be a whole number: 1.5',
	),
	stagingSite(
		'getSsoLoginUrl',
		{ options: { wpObjectId: 'admin' } },
		'The parameter "User ID" must contain only digits: "admin"',
	),
	stagingSite(
		'updatePhpVersion',
		{ phpVersion: '={{ " " }}' },
		'The parameter "PHP Version" is empty',
	),
	[
		'stagingSite',
		{ operation: 'create', siteId: locator('1'), snapshotId: locator('={{ "" }}') },
		'The parameter "Snapshot" is empty',
	],
];

refusedInputs(cases);
