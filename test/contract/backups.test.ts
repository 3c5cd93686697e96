import type { INodeParameters, INodePropertyOptions } from 'n8n-workflow';
import { backup } from '../../nodes/Backup/resources/backup';
import { stagingSite } from '../../nodes/StagingSite/resources/stagingSite';
import { actionNodes, description, runNode } from '../support/engine';
import { startFleet, type Fleet } from '../support/fleet';
import { locator } from '../support/locator';

/** What the operations on backups, files and staging sites promise besides their requests. */

let fleet: Fleet;
let siteId: string;
beforeAll(async () => {
	fleet = await startFleet({ sites: 3 });
	siteId = (await fleet.sites(1))[0]!.id as string;
});

const run = async (node: string, parameters: INodeParameters) =>
	await runNode(fleet, { node, parameters });

it('the refusal of a download is an error like any other', async () => {
	const { error, items } = await run('backupContent', {
		resource: 'file',
		operation: 'download',
		siteId: locator(siteId),
		fileId: locator('gone'),
	});
	expect(items).toEqual([]);
	expect(error?.httpCode).toBe('404');
	expect(error?.message).toContain('The service found no record at');
	expect(error?.message).toContain(`/sites/${siteId}/files/download`);
});

it('sign-in URLs and the passwords of staging sites are declared as sensitive', async () => {
	const { sensitiveOutputFields } = await description('stagingSite');
	expect(sensitiveOutputFields).toEqual([
		'credentials.http_auth.password',
		'credentials.server.password',
		'credentials.database.password',
		'credentials_http_auth_password',
		'credentials_server_password',
		'credentials_database_password',
		'sso_login_url',
	]);
});

it('Selected Fields of a staging site offers each of its fields', async () => {
	const { data } = await fleet.api.get('/staging-sites');
	const { properties } = await description('stagingSite');
	const offered = (operation: string) => {
		const { options = [] } = properties.find(
			({ name, displayOptions }) =>
				name === 'outputFields' && displayOptions?.show?.operation?.includes(operation),
		)!;
		const paths = (options as INodePropertyOptions[]).map(({ value }) => String(value));
		return [...new Set(paths.map((place) => place.split('.')[0]))];
	};
	const [listed] = data.staging_sites;
	const single = (await fleet.api.get(`/staging-sites/${listed.id}`)).data.staging_site;
	// The site that it is a copy of is looked up.
	const fieldsOf = (record: object) => [...Object.keys(record), 'site_title', 'site_url'].sort();
	expect(offered('getAll')).toEqual(fieldsOf(listed));
	for (const operation of ['get', 'extendExpiry', 'resume']) {
		expect(offered(operation)).toEqual(fieldsOf(single));
	}
});

it('operations that change a live site say so above their fields', async () => {
	const { properties } = await description('backup');
	const noticeOf = (operation: string) =>
		properties.find(
			({ type, displayOptions }) =>
				type === 'notice' &&
				displayOptions?.show?.resource?.includes('backup') &&
				displayOptions.show.operation?.includes(operation),
		)?.displayName;
	expect(noticeOf('restore')).toContain('Overwrites the live site');
	expect(noticeOf('migrate')).toContain('site at the destination URL');
	expect(noticeOf('disable')).toContain('The live site is no longer backed up');
});

it('a node offers its resources by name and starts with its own', async () => {
	const several: string[] = [];
	for (const { name: node, properties } of await actionNodes()) {
		const { options, default: first } = properties.find(({ name }) => name === 'resource')!;
		const names = (options as INodePropertyOptions[]).map(({ name }) => name);
		expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));
		if (names.length === 1) continue;
		several.push(`${node} with ${names.join(', ')} starts with ${String(first)}`);
	}
	expect(several).toEqual([
		'autoUpdate with History, Schedule starts with schedule',
		'backupContent with File, Table starts with file',
		'branding with Login Screen Branding, Plugin Branding starts with pluginBranding',
		'site with Setting, Site starts with site',
	]);
});

it('operations that continue after the response are marked as tasks', () => {
	const tasks = [backup, stagingSite].map(({ operations }) =>
		operations.filter(({ answer }) => answer.kind === 'task').map(({ labels }) => labels.value),
	);
	expect(tasks).toEqual([
		['download', 'upload', 'migrate', 'restore'],
		['create', 'updatePhpVersion', 'download'],
	]);
});
