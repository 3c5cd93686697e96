import { completedSnapshots } from '../../../sandbox/service/domain/snapshots/rules';
import {
	componentsAt,
	headOf,
	setVersion,
	versionSince,
} from '../../../sandbox/service/domain/content/components';
import { treeAt } from '../../../sandbox/service/domain/content/files';
import type { SiteRow } from '../../../sandbox/service/domain/sites/rows';
import { minute, start, startSnapshot, sync } from './support';

/** Layouts of plugins and themes as they are met in life. */

interface Component {
	kind: string;
	file: string;
	name: string;
	version: string | null;
}

const nameOf = ({ kind, file, name, version }: Component) => `${kind} ${file} ${name} ${version}`;

it('has every layout somewhere in the fleet, and the bytes of each main file say what the control says', async () => {
	const { world, admin, api } = await start({ sites: 120 });
	const found = new Map<string, { siteId: string; component: Component }>();
	for (const site of world.store.sites.peek()) {
		const { data } = await admin.get(`/sites/${site.id}/components`);
		const [newest] = completedSnapshots(world, site.id);
		const all = newest ? componentsAt(world, site, Date.parse(newest.created_at)) : [];
		expect(data.components).toEqual(all);
		for (const component of data.components as Component[]) {
			const key = component.file.replace(/themes\/\w[\w-]*?(-child)?\//, 'themes/x$1/');
			found.set(`${key} ${component.version === null}`, { siteId: site.id, component });
		}
	}
	const files = [...found.keys()];
	for (const wanted of [
		'./wp-content/plugins/seo-suite/wp-seo.php false',
		'./wp-content/plugins/hello-words.php false',
		'./wp-content/plugins/image-slider-1.9.4/image-slider.php false',
		'./wp-content/plugins/gallery-light/gallery-light.php true',
		'./wp-content/plugins/licensed-forms/licensed-forms.php false',
		'./wp-content/mu-plugins/site-tweaks.php false',
		'./wp-content/mu-plugins/loader.php false',
		'./wp-content/mu-plugins/hello-words.php false',
		'./wp-content/mu-plugins/cron-helper.php true',
		'./wp-content/mu-plugins/object-store/object-store.php false',
		'./wp-content/themes/x/style.css false',
		'./wp-content/themes/x-child/style.css false',
		'./wp-content/themes/x-child/style.css true',
	]) {
		expect(files).toContain(wanted);
	}

	for (const { siteId, component } of found.values()) {
		const { file, name, version } = component;
		const folder = file.slice(0, file.lastIndexOf('/') + 1);
		const { data: list } = await api.get(`/sites/${siteId}/files`, { params: { path: folder } });
		const entry = (list.files as Array<{ id: string; path: string }>).find(
			({ path }) => path === file,
		)!;
		const { data } = await api.get(`/sites/${siteId}/files/download`, {
			params: { id: entry.id },
			responseType: 'arraybuffer',
		});
		const text = Buffer.from(data as ArrayBuffer).toString('utf8', 0, 8192);
		const [, named] = /(?:Plugin|Theme) Name:\s+([^\r\n*]+)/.exec(text) ?? [];
		expect(named?.trim()).toBe(name);
		expect([nameOf(component), /^[^@\w]*Version:[ \t]+(\S+)/m.exec(text)?.[1] ?? null]).toEqual([
			nameOf(component),
			version,
		]);
	}
});

interface Entry {
	id: string;
	path: string;
	type: string;
	size: number;
	modified_at: string;
}

const PLUGINS = './wp-content/plugins/';
const MAGAZINE = './wp-content/themes/magazine/';

describe('another version of a plugin or theme', () => {
	/** A site to which versions come, with what its newest backup has of them. */
	async function startVersions() {
		const service = await startSnapshot();
		const { api, admin, clock, world, path } = service;
		const filesIn = async (folder: string): Promise<Entry[]> => {
			const { data } = await api.get(`${path}/files`, { params: { path: folder } });
			const inner = (data.files as Entry[]).map((entry) =>
				entry.type === 'folder' ? filesIn(entry.path) : [entry],
			);
			return (await Promise.all(inner)).flat();
		};
		return {
			...service,
			/** Those of a folder, or a single file. */
			filesOf: async (place: string) =>
				(await filesIn(place.endsWith('/') ? place : PLUGINS)).filter(({ path: each }) =>
					each.startsWith(place),
				),
			async install(name: string, version: string): Promise<string> {
				const { data } = await admin.post(`${path}/plugins`, { name, version });
				clock.advance(10 * minute);
				world.settle();
				return data.snapshot_id;
			},
			async download(params: object) {
				const options = { params, responseType: 'arraybuffer' } as const;
				const { headers, data } = await api.get(`${path}/files/download`, options);
				const bytes = Buffer.from(data as ArrayBuffer);
				expect(headers['content-length']).toBe(String(bytes.length));
				return bytes;
			},
		};
	}

	const odd = (place: string, file: string, head: (version: string) => string) =>
		[`${PLUGINS}${place}`, `${PLUGINS}${file}`, head] as const;

	it.each([
		[
			'page-cache',
			...odd(
				'page-cache/',
				'page-cache/page-cache.php',
				(version) => `<?php\n/**\n * Plugin Name: Page Cache\n * Version: ${version}\n */\n\n`,
			),
		],
		[
			'seo-suite',
			...odd(
				'seo-suite/',
				'seo-suite/wp-seo.php',
				(version) =>
					`<?php\n/**\n * Plugin Name:       SEO Suite\n * Description:       Titles\n * Version:           ${version}\n */\n`,
			),
		],
		[
			'hello-words',
			...odd(
				'hello-words.php',
				'hello-words.php',
				(version) => `<?php\r\n/*\r\nPlugin Name: Hello Words\r\nVersion: ${version}\r\n*/\r\n`,
			),
		],
		[
			'image-slider-1.9.4',
			...odd(
				'image-slider-1.9.4/',
				'image-slider-1.9.4/image-slider.php',
				(version) => `<?php\n/**\n * Plugin Name: Image Slider\n * Version: ${version}\n */\n`,
			),
		],
		[
			'licensed-forms',
			...odd(
				'licensed-forms/',
				'licensed-forms/licensed-forms.php',
				(version) =>
					`\n\n/* Plugin Name: Licensed Forms\n   Version: ${version} */\n\n// Version: 9.9 of the library\n`,
			),
		],
		[
			'gallery-light',
			...odd(
				'gallery-light/',
				'gallery-light/gallery-light.php',
				() =>
					"<?php\n/**\n * Plugin Name: Gallery Light\n * @version 3.0\n */\ndefine('GALLERY', '3.0');\n",
			),
		],
		[
			'magazine',
			MAGAZINE,
			`${MAGAZINE}style.css`,
			(version: string) => `/*\nTheme Name: Magazine\nVersion: ${version}\n*/\n`,
		],
	])(
		'of %s is in all of its files and their sizes, and a restore reverts it',
		async (name, place, file, head) => {
			const service = await startVersions();
			const { api, admin, path, site, clock, world, filesOf, install, download } = service;
			/** What the newest backup has, after a look that all say the same of it. */
			async function look(version: string): Promise<Entry[]> {
				const files = await filesOf(place);
				for (const { id, path: each, size, modified_at } of files) {
					const { data } = await api.get(`${path}/files/versions`, { params: { path: each } });
					expect(data.versions).toContainEqual({ id, size, modified_at });
					// The main file and one more are enough, because downloads take their time.
					if (![file, files.at(-1)!.path].includes(each)) continue;
					const bytes = await download({ id });
					expect(bytes).toHaveLength(size);
					expect(await download({ path: each, size, modified_at })).toEqual(bytes);
					if (each === file) expect(bytes.toString('utf8', 0, 8192)).toContain(head(version));
				}
				if (place.endsWith('/')) {
					const { data } = await api.get(`${path}/files/stats`, { params: { path: place } });
					const total = files.reduce((sum, { size }) => sum + size, 0);
					expect(data.stats.size).toEqual({ total, synced: total, skipped: 0 });
				}
				const { data } = await admin.get(`${path}/components`);
				const shown = (data.components as Component[]).find((each) => each.file === file);
				expect(shown?.version).toBe(name === 'gallery-light' ? null : version);
				return files;
			}

			const snapshotId = await install(name, '1.0.0');
			const before = await look('1.0.0');
			await install(name, '3.0.7');
			const after = await look('3.0.7');
			expect(after.map((each) => each.path)).toEqual(before.map((each) => each.path));
			before.forEach(({ size, modified_at }, index) => {
				expect(after[index]!.size).not.toBe(size);
				expect(after[index]!.modified_at > modified_at).toBe(true);
			});

			const restore = { scope: { include_files: true, paths: [place] } };
			await api.post(`${path}/backups/${snapshotId}/restore`, { restore });
			clock.advance(5 * minute);
			world.settle();
			await sync(service, site.id);
			expect(await look('1.0.0')).toEqual(before);
		},
	);

	it('changes nothing else of the site, and not the child theme', async () => {
		const { world } = await start({ sites: 120 });
		const treeOf = (site: SiteRow) => treeAt(world, site, world.now);
		const site = world.store.sites
			.peek()
			.find((each) => treeOf(each).has('./wp-content/themes/magazine-child/style.css'))!;
		const others = (tree: ReturnType<typeof treeOf>) =>
			[...tree.values()]
				.filter(({ path, type }) => type === 'file' && !path.startsWith(MAGAZINE))
				.map((entry) => ({
					...entry,
					head: headOf(
						site.id,
						entry.path,
						versionSince(world, site.id, entry.path, entry.modifiedAt),
					),
				}))
				.sort((a, b) => (a.path < b.path ? -1 : 1));
		const before = treeOf(site);
		setVersion(world, site, 'magazine', '11.0');
		const after = treeOf(site);
		expect(others(after)).toEqual(others(before));
		expect([...after.keys()].sort()).toEqual([...before.keys()].sort());
		const isChanged = (path: string) =>
			after.get(path)!.size !== before.get(path)!.size && after.get(path)!.modifiedAt === world.now;
		const own = [...after.keys()].filter((path) => path.startsWith(MAGAZINE));
		expect(own.filter((path) => !isChanged(path))).toEqual([]);
	});
});
