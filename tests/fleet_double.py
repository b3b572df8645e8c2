"""Does what the scheduler of a template of docs/fleet would: fleet_double.py TEMPLATE SHARD prints, for the job of a shard,
the words of its command, each ended by a NUL.  The variables of the scheduler are filled in as the scheduler does."""
import re
import shlex
import sys

import yaml


def of_kubernetes(text, shard):
    job = yaml.safe_load(text)
    assert job['kind'] == 'Job' and job['spec']['completionMode'] == 'Indexed'
    assert 0 <= shard < job['spec']['completions']
    pod = job['spec']['template']['spec']
    container = pod['containers'][0]
    assert {mount['name'] for mount in container['volumeMounts']} == {volume['name'] for volume in pod['volumes']}
    # A variable that is not set stays as it is.
    known = {}
    for variable in container['env']:
        if variable['valueFrom']['fieldRef']['fieldPath'] == "metadata.annotations['batch.kubernetes.io/job-completion-index']":
            known[variable['name']] = str(shard)
    return [re.sub(r'\$\((\w+)\)', lambda name: known.get(name[1], name[0]), word) for word in container['command']]


def of_condor(text, shard):
    settings, queued = {}, 0
    for line in text.splitlines():
        if line.startswith('queue'):
            queued = int(line.split()[1])
        elif '=' in line and not line.startswith('#'):
            name, value = line.split('=', 1)
            settings[name.strip()] = value.strip()
    assert 0 <= shard < queued and settings['success_exit_code'] == '0'
    arguments = settings['arguments'].replace('$(Process)', str(shard))
    return [settings['executable'], *arguments.split()]


def of_actions(text, shard):
    job = yaml.safe_load(text)['jobs']['shard']
    assert shard in job['strategy']['matrix']['shard'] and job['strategy']['fail-fast'] is False
    run = next(step['run'] for step in job['steps'] if 'worker' in step.get('run', ''))
    return shlex.split(re.sub(r'\$\{\{ *matrix\.shard *\}\}', str(shard), run))


KINDS = {'kubernetes.yaml': of_kubernetes, 'htcondor.submit': of_condor, 'github-actions.yml': of_actions}


def main():
    name, shard = sys.argv[1], int(sys.argv[2])
    with open(name) as file:
        words = KINDS[name.rsplit('/', 1)[-1]](file.read(), shard)
    sys.stdout.write(''.join(word + '\0' for word in words))


main()
