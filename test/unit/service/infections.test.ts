import { minute, pass, restore, startSnapshot, sync } from './support';

/** A site with malware: what it does to the files, what the scanner sees, and what restores take back. */

async function startInfected(wanted: object) {
	const service = await startSnapshot({ title: 'One' });
	const { api, admin, site, path } = service;
	const settle = (minutes: number) => pass(service, minutes * minute);
	const clean = await sync(service, site.id);
	settle(1);
	const { data: infection } = await admin.post(`${path}/infections`, wanted);
	settle(1);
	return {
		...{ ...service, infection, settle },
		restored: async (scope: object) => await restore(service, clean, scope),
		there: async () => (await admin.get(`${path}/infections`)).data.infections[0],
		scan: async () => {
			const id = await sync(service, site.id);
			const { data } = await api.get(`${path}/snapshots/${id}`);
			return data.snapshot.security.scanner as { status: string; detections: object };
		},
		deleted: async (paths: string[]) => (await admin.post(`${path}/deletions`, { paths })).data,
	};
}

const files = (paths: string[]) => ({ include_files: true, paths });

it('is cured by a restore of what it changed and a deletion of what it added', async () => {
	const { infection, restored, scan, there, deleted } = await startInfected({ adds: 'mu-plugins' });
	const { changed, added } = infection;
	expect((await there()).files.sort()).toEqual([...changed, ...added].sort());
	expect(await scan()).toMatchObject({ status: 'hacked', detections: { files: 3 } });
	await restored(files(changed));
	expect((await there()).files).toEqual(added);
	expect((await scan()).status).toBe('hacked');
	expect(await deleted([...added, ...changed])).toEqual({ deleted: added });
	expect((await there()).files).toEqual([]);
	expect((await scan()).status).toBe('clean');
});

it('comes back by its cron job, until the database is restored', async () => {
	const { infection, restored, settle, there } = await startInfected({
		...{ changes: 2, adds: 'nothing', returns_after: 10 },
	});
	await restored(files(infection.changed));
	expect(await there()).toMatchObject({ files: [], in_database: true });
	settle(10);
	expect((await there()).files).toHaveLength(2);
	await restored({ ...files(infection.changed), include_database: true });
	settle(60);
	expect(await there()).toMatchObject({ files: [], in_database: false });
});

it.each([
	[{ seen_after: 60 }, ['clean', 'hacked']],
	[{ seen_after: null }, ['clean', 'clean']],
	[{ changes: 0, adds: 'nothing', in_database: true }, ['hacked', 'hacked']],
])('the scanner sees %j as %j', async (wanted, seen) => {
	const { scan, settle } = await startInfected(wanted);
	const first = (await scan()).status;
	settle(60);
	expect([first, (await scan()).status]).toEqual(seen);
});
