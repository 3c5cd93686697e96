import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { UserError } from '../../sandbox/lib/errors';

const root = path.resolve(__dirname, '..', '..');

export interface N8nVersion {
	/** As `npm test -- compat --only` takes it. */
	name: string;
	version: string;
	/** Holds its package.json and its lock file, and once installed all of it. */
	folder: string;
	/** Settings that it needs besides those of the pinned one. */
	env: Record<string, string>;
	/** Before the pinned one: it lacks what docs/upgrading.md names. */
	isOlder: boolean;
}

/** They do not know the modules that the pinned one is told to leave out. */
const older = { N8N_DISABLED_MODULES: '' };

const settings: Record<string, Record<string, string>> = {
	// Without them its expressions find nothing in the items of a Code node: docs/upgrading.md tells users.
	'1.x': { ...older, N8N_RUNNERS_ENABLED: 'true' },
	// Made by tools/newest.mjs, where nobody keeps it.
	newest: {},
};

function versionIn(name: string, folder: string, env: Record<string, string>): N8nVersion {
	const { dependencies } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
		dependencies: { n8n: string };
	};
	return { name, version: dependencies.n8n, folder, env, isOlder: env.N8N_DISABLED_MODULES === '' };
}

/** The one that the sandbox and all other tests run on. */
export const PINNED = versionIn('pinned', path.join(root, 'sandbox', 'n8n'), {});

const compat = path.join(root, 'test', 'compat');

/** Those that only the compatibility tests run on, oldest first. */
export const OLDER = readdirSync(compat, { withFileTypes: true })
	.filter((entry) => entry.isDirectory())
	.map(({ name }) => versionIn(name, path.join(compat, name), settings[name] ?? older))
	.sort((one, other) => one.version.localeCompare(other.version, 'en', { numeric: true }));

const ALL = [...OLDER, PINNED];

/** The versions of these names, separated by commas; all where nothing is said. */
export function versionsNamed(names?: string): N8nVersion[] {
	if (names === undefined) return ALL;
	return names.split(',').map((name) => {
		const found = ALL.find((each) => each.name === name);
		if (found) return found;
		const known = ALL.map((each) => `${each.name} (n8n ${each.version})`).join(', ');
		throw new UserError(`There is no version "${name}" to test on, but ${known}.`);
	});
}
