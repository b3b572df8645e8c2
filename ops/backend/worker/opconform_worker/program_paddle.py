"""Programs for PaddlePaddle, eager and as static graphs."""
HEAD = '''import paddle


def whole(v):
    return v.astype('int32').astype(v.dtype)


def scalar(i, v):
    return i.astype(v.dtype) if isinstance(i, paddle.Tensor) else float(i)


def join(one, other):
    return paddle.concat([one, other])


def helper(v, scale=2.0):
    return v * scale


def descend(v, depth):
    if depth <= 0:
        return v * 1.0
    return descend(v + 1.0, depth - 1)


def tensor(values):
    return paddle.to_tensor(values)


def array(result):
    return result.numpy()


def gradient(program, x, z):
    program.train()  # there are no gradients of static programs otherwise
    x = x.clone()
    x.stop_gradient = False
    found, = paddle.grad(program(x, z).sum(), x, allow_unused=True)
    return paddle.zeros_like(x) if found is None else found


def make(n, dtype):
    module = Program(n, dtype)
    module.eval()
    return module
'''
NAMES = {name: f'paddle.{name}' for name in ('sum', 'clip', 'maximum', 'abs', 'stack')}
NAMES['full'] = 'paddle.full_like'
REWRITES = ()
CLASS = '''class Program(paddle.nn.Layer):
    def __init__(self, n, dtype):
        super().__init__()
        weight = (np.arange(n) % 4 * 0.5 + 0.5).astype(dtype)
        self.weight = paddle.create_parameter(
            [n], str(np.dtype(dtype)), default_initializer=paddle.nn.initializer.Assign(weight))
        self.register_buffer('state', paddle.to_tensor(np.zeros(n, dtype)))

    def part(self, v):
        return v * self.weight

    def forward(self, x, z):
        a, b, c, d = x + 0.0, z + 0.0, x - z, paddle.zeros_like(x)
        e, v = x[0], paddle.zeros_like(x)
        i, j = 0, 2
        items, table = [x * 1.0, z * 1.0], {{'k0': x * 1.0, 'k1': z * 1.0}}
{body}
        return paddle.stack([a, b, c, d])
'''
MODES = {
    '': '    return module',
    'ast': '    return paddle.jit.to_static(module, full_graph=True)',
    'sot': '    return paddle.jit.to_static(module, full_graph=False)',
    'left-out': '    module.forward = paddle.jit.not_to_static(module.forward)\n'
                '    return paddle.jit.to_static(module, full_graph=True)',
    'ignored': '    paddle.jit.ignore_module([sys.modules[__name__]])\n'
               '    return paddle.jit.to_static(module, full_graph=True)',
    'off': '    paddle.jit.enable_to_static(False)\n    return paddle.jit.to_static(module)',
}
MODES['saved'] = '''    static = paddle.jit.to_static(module, full_graph=True, input_spec=[
        paddle.static.InputSpec(list(each.shape), each.dtype) for each in example])
    with tempfile.TemporaryDirectory() as folder:
        paddle.jit.save(static, folder + '/program')
        loaded = paddle.jit.load(folder + '/program')
    loaded.eval()
    return loaded'''
MODES['predictor'] = MODES['saved'].partition('        loaded =')[0] + '''        config = paddle.inference.Config(folder + '/program.json', folder + '/program.pdiparams')
        config.disable_glog_info()
        predictor = paddle.inference.create_predictor(config)

    def call(*inputs):
        for name, value in zip(predictor.get_input_names(), inputs):
            predictor.get_input_handle(name).copy_from_cpu(value.numpy())
        predictor.run()
        result = predictor.get_output_handle(predictor.get_output_names()[0])
        return paddle.to_tensor(result.copy_to_cpu())

    return call'''
for option, call in (('plain', 'switch_ir_optim(False)'), ('onednn', 'enable_mkldnn()'),
                     ('memory', 'enable_memory_optim()')):
    MODES['predictor-' + option] = MODES['predictor'].replace('disable_glog_info()',
                                                              f'disable_glog_info()\n        config.{call}')
ONCE = ((r'print|seen', 'what Python does with its numbers happens once, when a function is converted'),)
UNKEPT = ONCE + ((r'self\.state =', 'a predictor keeps nothing from call to call'),)
DECLINES = {'ast': ONCE, 'saved': UNKEPT, **{mode: UNKEPT for mode in MODES if mode.startswith('predictor')}}
TRANSFORMED = {'ast': '    return program.forward.code'}
VERIFY = {}
REFUSALS = ('Dygraph2StaticException',)
# What the conversion says of what graphs cannot hold.
REFUSING = ('should be of type Parameter or None, but got', 'should return the same arity',
            'list indices must be integers or slices')
