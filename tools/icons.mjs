#!/usr/bin/env node
// `npm run icons` writes the icon of each resource, for both themes.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
/** Heroicons (MIT, see LICENSE.md) draws these for 16 pixels. */
const pictograms = path.join(root, 'node_modules', 'heroicons', '16', 'solid');

/** No two have the same outline: the pictogram is all that tells nodes apart in n8n's lists. */
const PICTOGRAM = {
	activityLog: 'list-bullet',
	api: 'code-bracket',
	autoUpdate: 'arrow-path',
	backup: 'archive-box',
	backupContent: 'folder',
	backupDestination: 'cloud-arrow-up',
	branding: 'swatch',
	client: 'building-storefront',
	component: 'puzzle-piece',
	customWork: 'wrench-screwdriver',
	importantPage: 'star',
	managedAccount: 'key',
	note: 'pencil-square',
	report: 'chart-bar',
	reportTemplate: 'rectangle-group',
	scheduledReport: 'clock',
	senderEmail: 'envelope',
	site: 'window',
	snapshot: 'camera',
	stagingSite: 'beaker',
	tag: 'tag',
	task: 'check',
	teamMember: 'users',
};

const THEMES = [
	{ ending: '.svg', frame: '#1d4ed8', pictogram: '#fff' },
	{ ending: '.dark.svg', frame: '#8fb3ff', pictogram: '#182542' },
];

/** The icon of the credential is drawn by hand. */
const BY_HAND = ['siteManagement.svg', 'siteManagement.dark.svg'];

function shapes(name) {
	const svg = readFileSync(path.join(pictograms, `${name}.svg`), 'utf8');
	const [, inside] = /<svg[^>]*>(.*)<\/svg>/s.exec(svg);
	// It is for clip paths, of which there are none.
	return inside.replaceAll(' clip-rule="evenodd"', '').replaceAll(/>\s+/g, '>').trim();
}

const icon = (name, { frame, pictogram }) =>
	`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="${pictogram}">` +
	`<rect width="16" height="16" rx="3.5" fill="${frame}"/>${shapes(name)}</svg>\n`;

const made = new Map(
	Object.entries(PICTOGRAM).flatMap(([resource, name]) =>
		THEMES.map((theme) => [`${resource}${theme.ending}`, icon(name, theme)]),
	),
);

const folder = path.resolve(process.argv[2] ?? path.join(root, 'icons'));
mkdirSync(folder, { recursive: true });
for (const file of readdirSync(folder)) {
	if (!BY_HAND.includes(file)) rmSync(path.join(folder, file));
}
for (const [file, svg] of made) writeFileSync(path.join(folder, file), svg);
