import { hashOf } from '../../engine/random';
import {
	arrayOf,
	boolean,
	nullable,
	number,
	object,
	oneOf,
	string,
	timestamp,
} from '../../http/schema';
import type { ComponentState } from '../beyond/rows';
import type { Component } from '../content/odd';
import type { SiteRow } from '../sites/rows';

/** A component as the lists over all sites have it (Part D). */

/** What is known of some versions, by the folder of a component; a version is in it that is one of these. */
const KNOWN: Record<string, { versions: string[]; known: object[] }> = {
	'page-cache': {
		versions: ['1.9.4'],
		known: [
			vulnerability('Page Cache: reads of any file', 'CVE-2026-10001', 6.5, '1.10.0'),
			vulnerability('Page Cache: changes by anyone', 'CVE-2026-10002', 9.8, '1.10.0'),
		],
	},
	'image-slider': {
		versions: ['1.9.4', '1.10.0'],
		known: [vulnerability('Image Slider: scripts in titles', null, 5.4, null)],
	},
};

function vulnerability(
	title: string,
	cve: string | null,
	score: number,
	patchedVersion: string | null,
) {
	return {
		vulnerability_id: String(hashOf(title)),
		title,
		cve_id: cve,
		ghsa_id: null,
		cvss_rating: score >= 9 ? 'critical' : 'medium',
		cvss_score: score,
		patched_version: patchedVersion,
		published_at: '2026-02-03T08:00:00Z',
		virtual_patch: { applied: false },
	};
}

export const securitySchema = object({
	vulnerable: boolean,
	vulnerabilities: arrayOf(
		object({
			...{ vulnerability_id: string, title: string, cve_id: nullable(string) },
			...{ ghsa_id: nullable(string), cvss_rating: oneOf('critical', 'medium') },
			...{ cvss_score: number, patched_version: nullable(string), published_at: timestamp },
			virtual_patch: object({ applied: boolean }),
		}),
	),
});

export const componentSchema = object({
	...{ slug: string, name: string, filename: string, current_version: string },
	...{ latest_version: string, update_available: boolean, package_available: boolean },
	...{ active: boolean, network_wide: boolean, locked: boolean, malicious: boolean },
	database: object({ update_required: boolean }),
	security: securitySchema,
});

/** Where usual plugins come to; others are at their latest version. */
const LATEST = '2.0.1';

/** @param file `./wp-content/plugins/page-cache/page-cache.php` */
const below = (file: string) => file.replace(/^[.]\/wp-content\/(plugins|themes)\//, '');

export function listedComponent(
	site: SiteRow,
	{ file, name, version }: Component,
	withVulnerabilities: boolean,
	state: ComponentState = {},
) {
	const path = below(file);
	// A plugin of one file has its file name as slug.
	const slug = path.replace(/\/.*/, '');
	const { versions, known } = KNOWN[slug.replace(/-[\d.]+$/, '')] ?? { versions: [], known: [] };
	const vulnerable = versions.includes(version ?? '');
	const latest = /^(1[.](9|10)[.]\d|2[.]0[.]1)$/.test(version ?? '') ? LATEST : (version ?? '');
	return {
		slug,
		name,
		filename: path,
		current_version: version ?? '',
		latest_version: latest,
		update_available: latest !== (version ?? ''),
		package_available: true,
		active: state.active ?? hashOf(site.id, path) % 10 < 8,
		network_wide: false,
		locked: state.locked ?? hashOf(path, site.id) % 20 === 0,
		malicious: false,
		database: { update_required: false },
		security: {
			vulnerable,
			vulnerabilities: withVulnerabilities && vulnerable ? known : [],
		},
	};
}
