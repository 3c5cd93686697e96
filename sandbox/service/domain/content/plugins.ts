import { hashOf } from '../../engine/random';

/** Sites lag behind differently; of each plugin there are the same versions. */
const versions = ['1.9.4', '1.10.0', '1.10.2', '2.0.1'];

const isMainFile = /\/plugins\/([^/]+)\/\1\.php$/;

const titled = (name: string) =>
	name.replace(
		/(^|-)([a-z])/g,
		(_, dash: string, letter: string) => `${dash && ' '}${letter.toUpperCase()}`,
	);

/** What the main file of a plugin begins with, as such files do; nothing for any other file. */
export function pluginHeader(siteId: string, path: string): string {
	const name = isMainFile.exec(path)?.[1];
	if (name === undefined) return '';
	const version = versions[hashOf(siteId, name) % versions.length];
	return `<?php\n/**\n * Plugin Name: ${titled(name)}\n * Version: ${version}\n */\n\n`;
}
