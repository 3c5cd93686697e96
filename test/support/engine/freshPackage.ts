import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { ICredentialType, IDataObject, INodeType } from 'n8n-workflow';
import type { VirtualTime } from '../virtualTime';

/**
 * The built package with modules of its own, as each process of n8n has them, and as an upgrade in the editor leaves
 * them: n8n drops its modules from `require.cache` and loads them anew.
 * Source: `unloadPackage` and `loadPackage` of `load-nodes-and-credentials`, `runPollFunction` of n8n-core.
 */

const DIST = path.resolve(__dirname, '../../../dist');

const compiled = new Map<string, (...scope: unknown[]) => void>();

function freshModules(): (file: string) => Record<string, unknown> {
	const loaded = new Map<string, { exports: Record<string, unknown> }>();
	const load = (file: string): Record<string, unknown> => {
		const known = loaded.get(file);
		if (known) return known.exports;
		const module = { exports: {} };
		loaded.set(file, module);
		const run =
			compiled.get(file) ??
			// The text is that of the package's own files.
			(new Function(
				'exports',
				'require',
				'module',
				`${readFileSync(file, 'utf8')}\n//# sourceURL=${file}`,
			) as () => void);
		compiled.set(file, run);
		const here = (name: string): unknown => {
			if (!name.startsWith('.')) return require(name) as unknown;
			const found = path.resolve(path.dirname(file), name);
			// Data, which no process changes.
			if (found.endsWith('.json')) return require(found) as unknown;
			return load([`${found}.js`, `${found}/index.js`].find(exists)!);
		};
		run(module.exports, here, module);
		return module.exports;
	};
	return (file) => load(path.join(DIST, file));
}

const known = new Map<string, boolean>();

function exists(file: string): boolean {
	if (!known.has(file)) known.set(file, existsSync(file));
	return known.get(file)!;
}

/**
 * Loads a trigger such as `taskTrigger`.
 * @param of how far its clock is ahead of the time, in milliseconds
 */
export function freshPackage(node: string, timeline: VirtualTime, of: { ahead: number }) {
	const load = freshModules();
	const file = node[0]!.toUpperCase() + node.slice(1);
	const folder = file.replace('Trigger', '');
	const Type = load(`nodes/${folder}/${file}.node.js`)[file] as new () => INodeType;
	const { SiteManagementApi } = load('credentials/SiteManagementApi.credentials.js');
	const { clock } = load('nodes/shared/lib/index.js') as { clock: IDataObject };
	Object.assign(
		clock,
		timeline.clock(() => of.ahead),
	);
	return { type: new Type(), credential: new (SiteManagementApi as new () => ICredentialType)() };
}
