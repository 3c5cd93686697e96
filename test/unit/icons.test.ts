import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '../support/reference';

const icons = path.join(root, 'icons');
const check = (folder: string) =>
	spawnSync(process.execPath, [path.join(root, 'tools/icons.mjs'), '--check', folder], {
		encoding: 'utf8',
	});

it('matches the output of the script', () => {
	expect(check(icons)).toMatchObject({ status: 0, stderr: '' });
});

it('reports stale, missing and superfluous files', () => {
	const folder = mkdtempSync(path.join(tmpdir(), 'icons-'));
	try {
		cpSync(icons, folder, { recursive: true });
		writeFileSync(path.join(folder, 'site.svg'), '<svg/>');
		rmSync(path.join(folder, 'tag.dark.svg'));
		writeFileSync(path.join(folder, 'gone.svg'), '<svg/>');
		const { status, stderr } = check(folder);
		expect(status).toBe(1);
		expect(stderr.trim().split('\n').slice(1)).toEqual([
			'stale: site.svg',
			'missing: tag.dark.svg',
			'superfluous: gone.svg',
		]);
		expect(readFileSync(path.join(folder, 'site.svg'), 'utf8')).toBe('<svg/>');
	} finally {
		rmSync(folder, { recursive: true });
	}
});

it('is different for each resource and theme', () => {
	const files = readdirSync(icons);
	const drawn = new Set(files.map((file) => readFileSync(path.join(icons, file), 'utf8')));
	expect(drawn.size).toBe(files.length);
});
