import { unprocessable } from '../../engine/errors';
import type { World } from '../../engine/world';
import { control } from '../../http/module';
import {
	arrayOf,
	boolean,
	integer,
	limited,
	matching,
	nullable,
	object,
	oneOf,
	optional,
	string,
} from '../../http/schema';
import type { SiteRow } from '../sites/rows';
import { siteOf, startSync } from '../sites/rules';
import { completedSnapshots, requireBackups } from '../snapshots/rules';
import { changesOf } from './changes';
import { componentFiles } from './componentFiles';
import { changedVersions, componentsAt, setVersion, versionsAt } from './components';
import { CORE, harmOf, setFlaw } from './flaws';
import { deleteFiles, infect, malwareAt } from './infections';
import { themeNames } from './names';
import { breakOnPhp } from './phpBreaks';
import { visitorsOf } from './visitors';

const path = '/sites/{site_id}/plugins';

const hidings = ['uploads', 'mu-plugins', 'nothing'] as const;

const minutes = limited(integer, { minimum: 0, maximum: 100_000 });

/** The slugs of what can come to another version. */
const slugs = [...componentFiles.keys()];

export const contentControls = [
	control({
		method: 'GET',
		path,
		does: 'The plugins and themes of a site that can be updated, with their versions: now, and in the newest backup',
		handle(context) {
			const { world } = context;
			const site = siteOf(context);
			const [newest] = completedSnapshots(world, site.id);
			const backedUp = newest && versionsAt(world, site, Date.parse(newest.created_at));
			return {
				plugins: [...versionsAt(world, site, world.now)].map(([name, version]) => ({
					name,
					version,
					backed_up_version: backedUp?.get(name) ?? null,
				})),
			};
		},
	}),
	control({
		method: 'GET',
		path: '/sites/{site_id}/components',
		does: 'All plugins, must-use plugins and themes of a site in the newest backup: main file, name and version',
		handle(context) {
			const site = siteOf(context);
			const [newest] = completedSnapshots(context.world, site.id);
			const at = newest && Date.parse(newest.created_at);
			return { components: at === undefined ? [] : componentsAt(context.world, site, at) };
		},
	}),
	control({
		method: 'POST',
		path,
		does: `Installs a version of a plugin or theme on a site, and starts a backup of it: {"name", "version": "1.9.4"}. Names: ${slugs.join(', ')}`,
		body: object({ name: oneOf(...slugs), version: matching('^\\d+(\\.\\d+){0,3}$') }),
		handle({ world, params, body: { name, version } }) {
			const site = siteOf({ world, params });
			requireBackups(world, site);
			const { failing, next_fails: nextFails } = site.internal.syncs;
			if (failing || nextFails) {
				throw unprocessable('syncs_fail', 'site_id', 'is a site whose next backup fails');
			}
			const snapshotId = startSync(world, site, `Installed ${name} ${version}`);
			setVersion(world, site, name, version);
			return { site_id: site.id, name, version, snapshot_id: snapshotId };
		},
	}),
	control({
		method: 'POST',
		path: '/sites/{site_id}/flaws',
		does: 'Lets the next update of a plugin or theme break the pages of a site: {"plugin", "effect"?: "error" (default), "empty" or "none", "after_minutes"?: 0, "migrates"?: true}. With "migrates", older files of the plugin fail with the database then. A plugin is installed by these controls first. A theme that is not is updated by chance only. "core" is possible, too',
		body: object({
			plugin: oneOf(...slugs, CORE),
			effect: optional(oneOf('error', 'empty', 'none')),
			after_minutes: optional(limited(integer, { minimum: 0, maximum: 10_000 })),
			migrates: optional(boolean),
		}),
		handle({ world, params, body }) {
			const { plugin, effect = 'error', after_minutes = 0, migrates = false } = body;
			const site = siteOf({ world, params });
			const needsNothing = [...themeNames, CORE].includes(plugin);
			if (!needsNothing && !changedVersions(world, site).has(plugin)) {
				throw unprocessable('not_installed', 'plugin', 'has no known version: install it first');
			}
			setFlaw(world, site, { plugin, effect, after_minutes, migrates });
			return stateOf(world, site);
		},
	}),
	control({
		method: 'POST',
		path: '/sites/{site_id}/infections',
		does: `Brings malware to a site now: {"changes"?: 2, "adds"?: ${hidings.map((each) => `"${each}"`).join(', ')}, "in_database"?: false, "returns_after"?: 10, "seen_after"?: 0}. It changes that many files, and adds one to that folder. A cron job in the database puts its files back this many minutes after a restore. The scanner sees it after this many minutes, never with null`,
		body: object({
			changes: optional(limited(integer, { minimum: 0, maximum: 20 })),
			adds: optional(oneOf(...hidings)),
			in_database: optional(boolean),
			returns_after: optional(minutes),
			seen_after: optional(nullable(minutes)),
		}),
		handle: ({ world, params, body }) => infect(world, siteOf({ world, params }), body),
	}),
	control({
		method: 'GET',
		path: '/sites/{site_id}/infections',
		does: 'The malware that is on a site now, also what no scanner finds: its files, and whether it is in the database',
		handle({ world, params }) {
			return { infections: malwareAt(world, siteOf({ world, params }), world.now) };
		},
	}),
	control({
		method: 'POST',
		path: '/sites/{site_id}/php-breaks',
		does: 'Lets a component break pages of a site and its staging sites from a version of PHP on: {"component": "plugins/image-slider", "from": "8.4", "pages"?: ["/shop"], "with"?: "plugins/page-cache", "hides"?: true}. Without pages, all of them. With "with", only if that one is also there. With "hides", the page does not show the error',
		body: object({
			component: matching('^(plugins|themes)/[^/]+$'),
			from: matching('^\\d+\\.\\d+$'),
			pages: optional(arrayOf(string)),
			with: optional(string),
			hides: optional(boolean),
		}),
		handle: ({ world, params, body }) => breakOnPhp(world, siteOf({ world, params }), body),
	}),
	control({
		method: 'POST',
		path: '/sites/{site_id}/deletions',
		does: 'Deletes files of a site that came with malware, as a person does by FTP: {"paths": ["./wp-content/uploads/…"]}',
		body: object({ paths: arrayOf(string) }),
		handle: ({ world, params, body }) => deleteFiles(world, siteOf({ world, params }), body.paths),
	}),
	control({
		method: 'GET',
		path: '/sites/{site_id}/flaws',
		does: 'Which updates harm a site, what visitors get, and how many orders and comments came and were lost by restores',
		handle({ world, params }) {
			return stateOf(world, siteOf({ world, params }));
		},
	}),
];

const stateOf = (world: World, site: SiteRow) => ({
	flaws: changesOf(world, site.id).flaws ?? [],
	harm: harmOf(world, site) ?? null,
	...visitorsOf(world, site),
});
