import type { AxiosResponse } from 'axios';
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { startService, type Service, type ServiceOptions } from '../../../sandbox/service';
import type { SiteRow } from '../../../sandbox/service/domain/sites/rows';
import {
	clientsOf,
	closeFleets,
	startFleet,
	type Fleet,
	type FleetOptions,
} from '../../support/fleet';
import { root } from '../../support/reference';

export type TestService = Fleet;

export const startTime = Date.parse('2025-03-10T12:00:00.000Z');
export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;
/** A time after the start. */
export const at = (ms: number) => new Date(startTime + ms).toISOString();

/** Starts a service of a small fleet, with its own rate limit; it is stopped after the test. */
export async function start(options: FleetOptions = {}): Promise<TestService> {
	return await startFleet({
		sites: 12,
		at: startTime,
		rateLimit: undefined,
		validateStatus: () => true,
		...options,
	});
}

afterEach(closeFleets);

const real: Service[] = [];
afterEach(async () => void (await Promise.all(real.splice(0).map((each) => each.close()))));

/** Starts an empty service by the clock of the machine; it is stopped after the test. */
export async function startReal(options: ServiceOptions = {}) {
	const service = await startService({ sites: 0, ...options });
	real.push(service);
	return { ...service, ...clientsOf(service, () => true) };
}

const COMMAND = ['--import', 'tsx', join(root, 'sandbox/service/cli.ts')];

/** Runs the command line. The command of tsx would be a process between, which signals would meet instead. */
export const runCli = (...args: string[]) =>
	spawn(process.execPath, [...COMMAND, ...args], { cwd: root });

/** The same to its end. */
export const endedCli = (...args: string[]) => {
	const patience = { timeout: 30_000, killSignal: 'SIGKILL' } as const;
	const options = { cwd: root, encoding: 'utf8', ...patience } as const;
	return spawnSync(process.execPath, [...COMMAND, ...args], options);
};

/** Lets time pass, and what is due in it happen. */
export function pass({ clock, world }: Pick<TestService, 'clock' | 'world'>, ms: number): void {
	clock.advance(ms);
	world.settle();
}

/** The rows of a list response, for instance of `sites`. */
export async function list({ api }: TestService, path: string, params?: object): Promise<any[]> {
	const response = await api.get(path, { params });
	expect(response.status).toBe(200);
	return response.data[path.split('/').pop()!.replaceAll('-', '_')];
}

export const listIds = async (...of: Parameters<typeof list>): Promise<string[]> =>
	(await list(...of)).map(({ id }) => id);

/** Asserts an error response in the documented form and returns its details' parameters. */
export function expectError(response: AxiosResponse, status: number): string[] {
	expect(response.status).toBe(status);
	const told = { code: expect.any(String), message: expect.any(String) };
	expect(response.data.error).toMatchObject(told);
	const { details = [] } = response.data.error;
	for (const detail of details) expect(detail).toEqual({ ...told, param: expect.any(String) });
	return details.map((detail: { param: string }) => detail.param);
}

/** A service whose only site is `site`; `path` is that of the site. */
export interface SiteService extends TestService {
	site: SiteRow;
	path: string;
}

/** Starts a service with one new site; what the site is besides is set with `fields`. */
export async function startSite(
	fields: Partial<SiteRow> = {},
	options: FleetOptions = {},
): Promise<SiteService> {
	const service = await start({ sites: 0, ...options });
	const site = await addSite(service, 'https://one.example.com');
	Object.assign(site, fields);
	return { ...service, site, path: `/sites/${site.id}` };
}

export async function addSite({ api, world }: TestService, url: string): Promise<SiteRow> {
	const { data } = await api.post('/sites', { site: { url } });
	return world.store.sites.get(data.site.id)!;
}

/** Syncs a site and returns the id of the snapshot, which is completed then. */
export async function sync(service: TestService, siteId: string): Promise<string> {
	const { data } = await service.api.post(`/sites/${siteId}/sync`);
	pass(service, minute);
	return data.sync.snapshot_id;
}

/** Restores a snapshot of the site, and lets its task end. */
export async function restore(service: SiteService, snapshotId: string, scope: object) {
	const url = `${service.path}/backups/${snapshotId}/restore`;
	expect((await service.api.post(url, { restore: { scope } })).status).toBe(201);
	pass(service, 5 * minute);
}

/** The same as `startSite`, with a completed snapshot. */
export async function startSnapshot(
	fields: Partial<SiteRow> = {},
	options: FleetOptions = {},
): Promise<SiteService & { snapshotId: string }> {
	const service = await startSite(fields, options);
	return { ...service, snapshotId: await sync(service, service.site.id) };
}
