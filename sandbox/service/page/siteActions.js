import { useReading } from './live.js';
import { Badge, Problem } from './parts.js';
import { html, useState } from './preact.js';
import { send } from './service.js';
import { hostSubject, updateSubject, useHarm, useHarmChoice } from './siteHarm.js';
import { Time } from './time.js';

/** Example 02 is to look for this plugin, in versions before `fixed`. */
const oldPlugin = { name: 'page-cache', version: '1.9.4', fixed: '1.10.2' };
/** What visitors get of a broken page. */
const brokenStatus = 500;

/**
 * What can be done to a site, by what it changes. `state` is what is so now; an action that makes no sense in it says
 * why in `notNow`. `does` is what will happen and who sees it, `done` what is said after it.
 */
function subjectsOf(site, { state, web, plugins, harm, hosts, choice }) {
	const { id, title, backups, sync } = site;
	const setState = (body) => () => send('POST', `/sites/${id}/state`, { body });
	const setPage = (status) => () => send('POST', '/web', { body: { site_id: id, status } });
	const when = (isSo, reason) => (isSo ? reason : undefined);
	const noBackup =
		when(!backups.enabled, 'Backups of this site are off.') ??
		when(site.locked, 'The site is under maintenance.') ??
		when(sync.in_progress, 'A backup is under way.');
	const willFail = state.syncs !== 'succeeding';
	const isBroken = web.status !== 200;
	const noPlugin = noBackup ?? when(willFail, 'The next backup is set to fail.');
	const installed = plugins.find(({ name }) => name === oldPlugin.name);
	return [
		{
			subject: 'Uptime',
			now: html`<${Badge} word=${state.uptime} />`,
			actions: [
				{
					name: 'Take down',
					does: 'The site answers 503 and its uptime becomes down. Site Trigger: Down; example 07.',
					notNow: when(state.uptime === 'down', 'The site is down.'),
					run: setState({ uptime: 'down' }),
					done: `${title} is down. Visitors get status 503.`,
				},
				{
					name: 'Bring up',
					does: 'The site answers again and its uptime becomes up. Site Trigger: Up; example 07.',
					notNow: when(state.uptime === 'up', 'The site is up.'),
					run: setState({ uptime: 'up' }),
					done: `${title} is up.`,
				},
			],
		},
		{
			subject: 'Malware',
			now: html`<${Badge} word=${state.malware} />`,
			actions: [
				{
					name: 'Infect',
					does: 'The malware scan finds the site hacked. Site Trigger: Malware Found; example 07.',
					notNow: when(state.malware === 'hacked', 'The site is hacked.'),
					run: setState({ malware: 'hacked' }),
					done: `The malware scan found ${title} hacked.`,
				},
				{
					name: 'Bring malware',
					does: 'Malware changes two files of the site and adds one. The malware scan finds it, and a backup starts so that the newest snapshot contains it. Site Trigger: Malware Found; example 13.',
					notNow: when(state.malware === 'hacked', 'The site is hacked.') ?? noBackup,
					run: async () => {
						await send('POST', `/sites/${id}/infections`, { body: {} });
						return await send('POST', `/sites/${id}/sync`);
					},
					done: `Malware came to ${title}. A backup has started, and ends in a minute of service time. Then run example 13.`,
				},
				{
					name: 'Delete added files',
					does: 'Deletes the files that malware added, as a person does over FTP. Example 13 asks for it.',
					run: async () => {
						const { infections } = await send('GET', `/sites/${id}/infections`);
						const paths = infections.flatMap(({ infection }) => infection.added);
						return await send('POST', `/sites/${id}/deletions`, { body: { paths } });
					},
					done: `The files that malware added to ${title} are deleted.`,
				},
				{
					name: 'Clean',
					does: 'The malware scan finds the site clean. Site Trigger: Malware Cleared; example 07.',
					notNow: when(state.malware === 'clean', 'The site is clean.'),
					run: setState({ malware: 'clean' }),
					done: `The malware scan found ${title} clean.`,
				},
			],
		},
		{
			subject: 'Connection',
			now: html`<${Badge} word=${state.connection} />`,
			actions: [
				{
					name: 'Disconnect',
					does: 'The service no longer reaches the site: its daily backups fail. Site Trigger: Disconnected; examples 01 and 05.',
					notNow: when(state.connection === 'disconnected', 'The site is disconnected.'),
					run: setState({ connection: 'disconnected' }),
					done: `${title} is disconnected.`,
				},
				{
					name: 'Reconnect',
					does: 'The service reaches the site again. Site Trigger: Reconnected; examples 01 and 05.',
					notNow: when(state.connection === 'connected', 'The site is connected.'),
					run: setState({ connection: 'connected' }),
					done: `${title} is connected.`,
				},
			],
		},
		{
			subject: 'Page',
			now: pageState(web, harm),
			actions: [
				{
					name: 'Break page',
					does: `Visitors get status ${brokenStatus} until the page is repaired or the site is restored. Examples 01 and 07, which look at the page.`,
					notNow: when(isBroken, 'The page is broken.'),
					run: setPage(brokenStatus),
					done: `The page of ${title} answers ${brokenStatus}.`,
				},
				{
					name: 'Repair page',
					does: 'Visitors get the page again, while the site is up. Examples 01 and 07.',
					notNow: when(
						!isBroken,
						harm.harm ? 'An update broke the page: restore the site.' : 'The page is not broken.',
					),
					run: setPage(200),
					done: `The page of ${title} is repaired.`,
				},
			],
		},
		{
			subject: 'Backups',
			now: backupState(site, state),
			actions: [
				{
					name: 'Fail next backup',
					does: 'Only the next backup that starts on this site fails, the daily one or yours. One under way is not affected. Backup Trigger: Backup Failed; example 10.',
					notNow:
						when(!backups.enabled, 'Backups of this site are off.') ??
						when(willFail, 'The next backup is set to fail.'),
					run: setState({ syncs: 'next_fails' }),
					done: sync.in_progress
						? `The backup of ${title} under way is not affected. The one after it fails.`
						: `The next backup of ${title} fails. Select “Back up now”, or wait for the daily one.`,
				},
				{
					name: 'Let backups succeed',
					does: 'The next backup of this site succeeds, unless the site is disconnected.',
					notNow: when(!willFail, 'The next backup is not set to fail.'),
					run: setState({ syncs: 'succeeding' }),
					done: `The next backup of ${title} succeeds.`,
				},
				{
					name: 'Back up now',
					does: 'A backup starts and ends a minute later. Backup Trigger: Backup Finished, or Backup Failed; example 10.',
					notNow: noBackup,
					run: () => send('POST', `/sites/${id}/sync`),
					done: `A backup of ${title} has started. It ${willFail ? 'fails' : 'ends'} in a minute of service time.`,
				},
			],
		},
		{
			subject: 'Plugins',
			now: installed
				? html`<span class="quiet">${pluginState(installed)}</span>`
				: html`<span class="quiet">${oldPlugin.name} is not installed</span>`,
			actions: [
				{
					name: 'Add plugin with an old version',
					does: `${oldPlugin.name} ${oldPlugin.version} is installed, and a backup starts so that the newest snapshot contains it. Example 02: run 02a, then enter ${oldPlugin.name} and < ${oldPlugin.fixed}. Auto-updates of plugins update it.`,
					notNow:
						when(
							installed?.version === oldPlugin.version,
							`${oldPlugin.name} ${oldPlugin.version} is installed.`,
						) ?? noPlugin,
					run: () =>
						send('POST', `/sites/${id}/plugins`, {
							body: { name: oldPlugin.name, version: oldPlugin.version },
						}),
					done: `${oldPlugin.name} ${oldPlugin.version} is installed on ${title}. A backup has started, and ends in a minute of service time. Then run example 02a: it reads the backup for 02.`,
				},
			],
		},
		updateSubject(site, { harm, plugins, noBackup: noPlugin, choice }),
		hostSubject(site, hosts),
	];
}

function pageState({ status }, { harm }) {
	if (status !== 200) return html`<${Badge} look="bad">Answers ${status}<//>`;
	if (!harm) return html`<${Badge} look="good">Not broken<//>`;
	return html`<${Badge} look="bad"
		>${harm === 'empty' ? 'Empty' : `Answers ${brokenStatus}`} since an update<//
	>`;
}

function backupState({ backups, sync }, { syncs }) {
	if (!backups.enabled) return html`<span class="quiet">Off</span>`;
	if (syncs === 'next_fails')
		return html`${sync.in_progress && html`<${Badge} word="syncing" />`}
			<${Badge} look="warning">Next one fails<//>`;
	if (sync.in_progress) return html`<${Badge} word="syncing" />`;
	if (syncs === 'failing') return html`<${Badge} look="bad">All fail<//>`;
	if (!sync.next_sync_at || sync.paused) return html`<span class="quiet">Not scheduled</span>`;
	return html`<span class="quiet">Next one <${Time} at=${sync.next_sync_at} /></span>`;
}

const pluginState = ({ name, version, backed_up_version: backedUp }) =>
	`${name} ${version}${backedUp === version ? ', also in the newest backup' : `, ${backedUp ?? 'missing'} in the newest backup`}`;

/** Buttons that make things happen to a site, to see what workflows do about it. */
export function SiteActions({ site }) {
	const path = `/sites/${encodeURIComponent(site.id)}`;
	const { data: state } = useReading(`${path}/state`);
	const { data: web } = useReading(`/web/${encodeURIComponent(site.id)}`);
	const { data: installed } = useReading(`${path}/plugins`);
	const { data: harm } = useHarm(site.id);
	const { data: hosts } = useReading('/hosts');
	const choice = useHarmChoice();
	const [isBusy, setBusy] = useState(false);
	const [said, say] = useState({});
	const press = async ({ name, run, done, notNow }) => {
		if (isBusy || notNow) return;
		setBusy(true);
		say({});
		try {
			await run();
			say({ name, done });
		} catch (error) {
			say({ error: new Error(`“${name}” did not work. ${error.message}`) });
		}
		setBusy(false);
	};
	const isKnown = state && web && installed && harm && hosts;
	return html`
		<section aria-labelledby="actions" class="actions">
			<h3 id="actions">Try what happens</h3>
			<p class="quiet">
				Each button changes this site. Those under Host change all sites on its host. Workflows see
				the change at their next poll. What you change stays until you, a workflow or the fleet
				itself changes it back.
			</p>
			<div class="subjects">
				${
					isKnown &&
					subjectsOf(site, { state, web, harm, choice, ...installed, ...hosts }).map(
						({ subject, now, actions, choice: chooser }) => html`
							<article key=${subject} class="subject">
								<p class="line"><strong>${subject}</strong> <span class="end">${now}</span></p>
								${chooser}
								${actions.map(
									(action) =>
										html`<${Action} key=${action.name} action=${action} onPress=${press} />`,
								)}
							</article>
						`,
					)
				}
			</div>
			<div class="outcome">
				<p role="status" class="done">${said.done}</p>
				<${Problem} error=${said.error} />
			</div>
		</section>
	`;
}

/** A button that keeps the focus when it is switched off. */
function Action({ action, onPress }) {
	const { name, does, notNow } = action;
	const id = `does-${name.toLowerCase().replaceAll(' ', '-')}`;
	return html`
		<div class="action">
			<button
				type="button"
				class="small"
				data-action=${name}
				aria-disabled=${notNow ? 'true' : undefined}
				aria-describedby=${id}
				onClick=${() => onPress(action)}
			>
				${name}
			</button>
			<p id=${id}>${does}${notNow && html` <em>${notNow}</em>`}</p>
		</div>
	`;
}
