# Interprets cases.json with passerelle.rb: ruby test_cases.rb.
require 'minitest/autorun'
require_relative 'passerelle'

# A case starts with `stub`, and a new `world` of it. A step calls a method, and compares what it gives or how it fails.
class Cases < Minitest::Test
  STUB = Passerelle::Stub.start('cohesion')

  def setup
    @named = { 'stub' => STUB, 'world' => STUB.world }
  end

  def teardown
    @named['world'].close
  end

  JSON.parse(File.read('cases.json')).each do |one|
    define_method("test_#{one['name']}") { one['steps'].each { |step| play(step) } }
  end

  def play(step)
    target, verb = step['do'].split('.')
    given = call(@named[target], verb, filled(step.fetch('with', [])))
    refute step.key?('fails'), "#{step['do']} did not fail"
    assert_shows plain(given), filled(step['gives'])
    @named[step['as']] = given
  rescue Passerelle::StubError => error
    step.fetch('fails') { raise error }.each { |words| assert_includes error.message, filled(words) }
  end

  def call(target, verb, with)
    case verb
    when 'start' then Passerelle::Stub.start(*with)
    when 'connect' then Passerelle::Stub.new(*with)
    when 'world' then target.world(**with[0].transform_keys(&:to_sym))
    when 'request' then %w[status body].zip(target.request(*with)).to_h
    when 'waitForCall', 'waitForDelivery'
      options = with[0].transform_keys(&:to_sym)
      options[:timeout] = with[1] if with[1]
      target.public_send(verb == 'waitForCall' ? :wait_for_call : :wait_for_delivery, **options)
    else target.public_send(verb, *with)
    end
  end

  def assert_shows(given, expected)
    case expected
    when Hash then expected.each { |name, value| assert_shows(given.fetch(name), value) }
    when Array
      assert_equal expected.size, given.size
      given.zip(expected) { |one, other| assert_shows(one, other) }
    else assert_equal expected, given unless expected.nil?
    end
  end

  def plain(value)
    value.is_a?(Passerelle::Stub) ? { 'url' => value.url, 'credentials' => value.credentials, 'secret' => value.secret } : value
  end

  # Replaces `{stub.url}` in texts; alone, by the value itself.
  def filled(value)
    case value
    when Hash then value.transform_values { |one| filled(one) }
    when Array then value.map { |one| filled(one) }
    when /\A\{([\w.-]+)\}\z/ then found(Regexp.last_match(1))
    when String then value.gsub(/\{([\w.-]+)\}/) { found(Regexp.last_match(1)) }
    else value
    end
  end

  def found(path)
    name, *steps = path.split('.')
    steps.reduce(plain(@named[name])) { |value, step| value[value.is_a?(Array) ? step.to_i : step] }
  end
end
