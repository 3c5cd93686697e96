import { useReading } from './live.js';
import { Badge } from './parts.js';
import { html, useState } from './preact.js';
import { send } from './service.js';
import { plural } from './words.js';

/** Auto-updates of plugins know a newer version of this one. */
const plugin = { name: 'image-slider', version: '2.0.0' };

/** What the update of the plugin does to the page. */
const harms = {
	atOnce: {
		name: 'At once',
		flaw: { after_minutes: 0, migrates: false },
		does: 'The next update of the plugin breaks the page at once, until its files are restored. Example 01 Safe update, which looks at the page after the update.',
	},
	later: {
		name: 'After 30 minutes',
		flaw: { after_minutes: 30, migrates: false },
		does: 'The page breaks 30 minutes after the next update of the plugin, until its files are restored. Example 01 Safe update, if it looks at the page after that time.',
	},
	database: {
		name: 'At once, with a changed database',
		flaw: { after_minutes: 0, migrates: true },
		does: 'The next update of the plugin breaks the page and changes the database. Only a restore of files and database repairs the page, and newer orders and comments are lost. Example 01 Safe update.',
	},
};

/** What updates do to a site, and what its visitors left; it changes with the time alone, too. */
export const useHarm = (siteId) =>
	useReading(`/sites/${encodeURIComponent(siteId)}/flaws`, { watch: ['world', 'clock'] });

export const useHarmChoice = () => useState('atOnce');

/** An update that breaks the page. `noBackup` is why no backup can start. */
export function updateSubject(
	{ id, title },
	{ harm, plugins, noBackup, choice: [chosen, choose] },
) {
	const { name, version } = plugin;
	const installed = plugins.find((each) => each.name === name)?.version;
	const flaw = harm.flaws.find((each) => each.plugin === name);
	const { flaw: wanted, does } = harms[chosen];
	const isPrepared =
		flaw &&
		!flaw.came &&
		installed === version &&
		Object.entries(wanted).every(([key, value]) => flaw[key] === value);
	const path = `/sites/${encodeURIComponent(id)}`;
	return {
		subject: 'Update',
		now: html`<span class="quiet">${stateOf(flaw, installed)}</span>`,
		choice: html`
			<label>
				When the page breaks
				<select value=${chosen} onChange=${({ target }) => choose(target.value)}>
					${Object.entries(harms).map(
						([key, each]) =>
							html`<option key=${key} value=${key} selected=${key === chosen}>
								${each.name}
							</option>`,
					)}
				</select>
			</label>
		`,
		actions: [
			{
				name: 'Add plugin whose update breaks the page',
				does: `${name} ${version} is installed, and a backup starts. ${does}`,
				notNow: isPrepared ? `${name} ${version} waits for its update.` : noBackup,
				async run() {
					await send('POST', `${path}/plugins`, { body: { name, version } });
					await send('POST', `${path}/flaws`, { body: { plugin: name, ...wanted } });
				},
				done: `${name} ${version} is installed on ${title}, and a backup has started. Its next update breaks the page. Run example 01, if the site has the tag of its settings.`,
			},
		],
	};
}

function stateOf(flaw, installed) {
	if (!installed) return `${plugin.name} is not installed`;
	const isUpdated = flaw?.came?.version === installed;
	if (flaw && !flaw.came) return `${plugin.name} ${installed} waits for its update`;
	return `${plugin.name} ${installed}${isUpdated ? ', updated' : ''}`;
}

/** The host of a site, with all of its sites. */
export function hostSubject({ server: { hosting } }, hosts) {
	const host = hosts.find((each) => each.hosting === hosting);
	const setHost = (down) => () => send('POST', '/hosts', { body: { hosting, down } });
	const count = plural(host?.sites ?? 0, 'site');
	const unknown = host ? undefined : 'The host of this site is not known.';
	const notNow = (isSo, reason) => unknown ?? (isSo ? reason : undefined);
	return {
		subject: 'Host',
		now: host
			? html`<${Badge} word=${host.down ? 'down' : 'up'} />`
			: html`<span class="quiet">Not known</span>`,
		actions: [
			{
				name: 'Take the host down',
				does: host
					? `All pages of ${count} on ${hosting} answer 503 until you bring the host up. The uptime in the service stays unchanged. Example 01 Safe update, which looks at the pages.`
					: 'The pages of all sites on the host answer 503.',
				notNow: notNow(host?.down, `${hosting} is down.`),
				run: setHost(true),
				done: `${hosting} is down. All pages of ${count} answer 503.`,
			},
			{
				name: 'Bring the host up',
				does: host
					? `All pages of ${count} on ${hosting} answer again, unless a site itself is down or broken. Example 01 Safe update.`
					: 'The pages of all sites on the host answer again.',
				notNow: notNow(!host?.down, `${hosting} is up.`),
				run: setHost(false),
				done: `${hosting} is up. The pages of ${count} answer again.`,
			},
		],
	};
}
